/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands that act, see gpa_acting.h, as lists for the preprocessor. */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_ACTING_LIST_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_ACTING_LIST_H

#include <vulkan/vulkan.h>

/*
 * X(name, parameters, arguments), as the Vulkan registry has them (vk.xml,
 * version 1.3.239), without those of other vendors' hardware.
 */
#define GPA_ACTING_BASE(X)						\
	X(CmdDraw,							\
	  (VkCommandBuffer buffer, uint32_t a, uint32_t b,		\
	   uint32_t c, uint32_t d),					\
	  (buffer, a, b, c, d))						\
	X(CmdDrawIndexed,						\
	  (VkCommandBuffer buffer, uint32_t a, uint32_t b,		\
	   uint32_t c, int32_t d, uint32_t e),				\
	  (buffer, a, b, c, d, e))					\
	X(CmdDrawMultiEXT,						\
	  (VkCommandBuffer buffer, uint32_t a,				\
	   const VkMultiDrawInfoEXT *b, uint32_t c, uint32_t d,		\
	   uint32_t e),							\
	  (buffer, a, b, c, d, e))					\
	X(CmdDrawMultiIndexedEXT,					\
	  (VkCommandBuffer buffer, uint32_t a,				\
	   const VkMultiDrawIndexedInfoEXT *b, uint32_t c,		\
	   uint32_t d, uint32_t e, const int32_t *f),			\
	  (buffer, a, b, c, d, e, f))					\
	X(CmdDrawIndirect,						\
	  (VkCommandBuffer buffer, VkBuffer a, VkDeviceSize b,		\
	   uint32_t c, uint32_t d),					\
	  (buffer, a, b, c, d))						\
	X(CmdDrawIndexedIndirect,					\
	  (VkCommandBuffer buffer, VkBuffer a, VkDeviceSize b,		\
	   uint32_t c, uint32_t d),					\
	  (buffer, a, b, c, d))						\
	X(CmdDispatch,							\
	  (VkCommandBuffer buffer, uint32_t a, uint32_t b,		\
	   uint32_t c),							\
	  (buffer, a, b, c))						\
	X(CmdDispatchIndirect,						\
	  (VkCommandBuffer buffer, VkBuffer a, VkDeviceSize b),		\
	  (buffer, a, b))						\
	X(CmdCopyBuffer,						\
	  (VkCommandBuffer buffer, VkBuffer a, VkBuffer b,		\
	   uint32_t c, const VkBufferCopy *d),				\
	  (buffer, a, b, c, d))						\
	X(CmdCopyImage,							\
	  (VkCommandBuffer buffer, VkImage a, VkImageLayout b,		\
	   VkImage c, VkImageLayout d, uint32_t e,			\
	   const VkImageCopy *f),					\
	  (buffer, a, b, c, d, e, f))					\
	X(CmdBlitImage,							\
	  (VkCommandBuffer buffer, VkImage a, VkImageLayout b,		\
	   VkImage c, VkImageLayout d, uint32_t e,			\
	   const VkImageBlit *f, VkFilter g),				\
	  (buffer, a, b, c, d, e, f, g))				\
	X(CmdCopyBufferToImage,						\
	  (VkCommandBuffer buffer, VkBuffer a, VkImage b,		\
	   VkImageLayout c, uint32_t d, const VkBufferImageCopy *e),	\
	  (buffer, a, b, c, d, e))					\
	X(CmdCopyImageToBuffer,						\
	  (VkCommandBuffer buffer, VkImage a, VkImageLayout b,		\
	   VkBuffer c, uint32_t d, const VkBufferImageCopy *e),		\
	  (buffer, a, b, c, d, e))					\
	X(CmdUpdateBuffer,						\
	  (VkCommandBuffer buffer, VkBuffer a, VkDeviceSize b,		\
	   VkDeviceSize c, const void *d),				\
	  (buffer, a, b, c, d))						\
	X(CmdFillBuffer,						\
	  (VkCommandBuffer buffer, VkBuffer a, VkDeviceSize b,		\
	   VkDeviceSize c, uint32_t d),					\
	  (buffer, a, b, c, d))						\
	X(CmdClearColorImage,						\
	  (VkCommandBuffer buffer, VkImage a, VkImageLayout b,		\
	   const VkClearColorValue *c, uint32_t d,			\
	   const VkImageSubresourceRange *e),				\
	  (buffer, a, b, c, d, e))					\
	X(CmdClearDepthStencilImage,					\
	  (VkCommandBuffer buffer, VkImage a, VkImageLayout b,		\
	   const VkClearDepthStencilValue *c, uint32_t d,		\
	   const VkImageSubresourceRange *e),				\
	  (buffer, a, b, c, d, e))					\
	X(CmdClearAttachments,						\
	  (VkCommandBuffer buffer, uint32_t a,				\
	   const VkClearAttachment *b, uint32_t c,			\
	   const VkClearRect *d),					\
	  (buffer, a, b, c, d))						\
	X(CmdResolveImage,						\
	  (VkCommandBuffer buffer, VkImage a, VkImageLayout b,		\
	   VkImage c, VkImageLayout d, uint32_t e,			\
	   const VkImageResolve *f),					\
	  (buffer, a, b, c, d, e, f))					\
	X(CmdSetEvent,							\
	  (VkCommandBuffer buffer, VkEvent a,				\
	   VkPipelineStageFlags b),					\
	  (buffer, a, b))						\
	X(CmdResetEvent,						\
	  (VkCommandBuffer buffer, VkEvent a,				\
	   VkPipelineStageFlags b),					\
	  (buffer, a, b))						\
	X(CmdWaitEvents,						\
	  (VkCommandBuffer buffer, uint32_t a, const VkEvent *b,	\
	   VkPipelineStageFlags c, VkPipelineStageFlags d,		\
	   uint32_t e, const VkMemoryBarrier *f, uint32_t g,		\
	   const VkBufferMemoryBarrier *h, uint32_t i,			\
	   const VkImageMemoryBarrier *j),				\
	  (buffer, a, b, c, d, e, f, g, h, i, j))			\
	X(CmdPipelineBarrier,						\
	  (VkCommandBuffer buffer, VkPipelineStageFlags a,		\
	   VkPipelineStageFlags b, VkDependencyFlags c, uint32_t d,	\
	   const VkMemoryBarrier *e, uint32_t f,			\
	   const VkBufferMemoryBarrier *g, uint32_t h,			\
	   const VkImageMemoryBarrier *i),				\
	  (buffer, a, b, c, d, e, f, g, h, i))				\
	X(CmdBeginQuery,						\
	  (VkCommandBuffer buffer, VkQueryPool a, uint32_t b,		\
	   VkQueryControlFlags c),					\
	  (buffer, a, b, c))						\
	X(CmdEndQuery,							\
	  (VkCommandBuffer buffer, VkQueryPool a, uint32_t b),		\
	  (buffer, a, b))						\
	X(CmdBeginConditionalRenderingEXT,				\
	  (VkCommandBuffer buffer,					\
	   const VkConditionalRenderingBeginInfoEXT *a),		\
	  (buffer, a))							\
	X(CmdEndConditionalRenderingEXT,				\
	  (VkCommandBuffer buffer),					\
	  (buffer))							\
	X(CmdResetQueryPool,						\
	  (VkCommandBuffer buffer, VkQueryPool a, uint32_t b,		\
	   uint32_t c),							\
	  (buffer, a, b, c))						\
	X(CmdWriteTimestamp,						\
	  (VkCommandBuffer buffer, VkPipelineStageFlagBits a,		\
	   VkQueryPool b, uint32_t c),					\
	  (buffer, a, b, c))						\
	X(CmdCopyQueryPoolResults,					\
	  (VkCommandBuffer buffer, VkQueryPool a, uint32_t b,		\
	   uint32_t c, VkBuffer d, VkDeviceSize e, VkDeviceSize f,	\
	   VkQueryResultFlags g),					\
	  (buffer, a, b, c, d, e, f, g))				\
	X(CmdNextSubpass,						\
	  (VkCommandBuffer buffer, VkSubpassContents a),		\
	  (buffer, a))							\
	X(CmdDispatchBase,						\
	  (VkCommandBuffer buffer, uint32_t a, uint32_t b,		\
	   uint32_t c, uint32_t d, uint32_t e, uint32_t f),		\
	  (buffer, a, b, c, d, e, f))					\
	X(CmdWriteBufferMarkerAMD,					\
	  (VkCommandBuffer buffer, VkPipelineStageFlagBits a,		\
	   VkBuffer b, VkDeviceSize c, uint32_t d),			\
	  (buffer, a, b, c, d))						\
	X(CmdNextSubpass2,						\
	  (VkCommandBuffer buffer, const VkSubpassBeginInfo *a,		\
	   const VkSubpassEndInfo *b),					\
	  (buffer, a, b))						\
	X(CmdDrawIndirectCount,						\
	  (VkCommandBuffer buffer, VkBuffer a, VkDeviceSize b,		\
	   VkBuffer c, VkDeviceSize d, uint32_t e, uint32_t f),		\
	  (buffer, a, b, c, d, e, f))					\
	X(CmdDrawIndexedIndirectCount,					\
	  (VkCommandBuffer buffer, VkBuffer a, VkDeviceSize b,		\
	   VkBuffer c, VkDeviceSize d, uint32_t e, uint32_t f),		\
	  (buffer, a, b, c, d, e, f))					\
	X(CmdBeginTransformFeedbackEXT,					\
	  (VkCommandBuffer buffer, uint32_t a, uint32_t b,		\
	   const VkBuffer *c, const VkDeviceSize *d),			\
	  (buffer, a, b, c, d))						\
	X(CmdEndTransformFeedbackEXT,					\
	  (VkCommandBuffer buffer, uint32_t a, uint32_t b,		\
	   const VkBuffer *c, const VkDeviceSize *d),			\
	  (buffer, a, b, c, d))						\
	X(CmdBeginQueryIndexedEXT,					\
	  (VkCommandBuffer buffer, VkQueryPool a, uint32_t b,		\
	   VkQueryControlFlags c, uint32_t d),				\
	  (buffer, a, b, c, d))						\
	X(CmdEndQueryIndexedEXT,					\
	  (VkCommandBuffer buffer, VkQueryPool a, uint32_t b,		\
	   uint32_t c),							\
	  (buffer, a, b, c))						\
	X(CmdDrawIndirectByteCountEXT,					\
	  (VkCommandBuffer buffer, uint32_t a, uint32_t b,		\
	   VkBuffer c, VkDeviceSize d, uint32_t e, uint32_t f),		\
	  (buffer, a, b, c, d, e, f))					\
	X(CmdCopyAccelerationStructureKHR,				\
	  (VkCommandBuffer buffer,					\
	   const VkCopyAccelerationStructureInfoKHR *a),		\
	  (buffer, a))							\
	X(CmdCopyAccelerationStructureToMemoryKHR,			\
	  (VkCommandBuffer buffer,					\
	   const VkCopyAccelerationStructureToMemoryInfoKHR *a),	\
	  (buffer, a))							\
	X(CmdCopyMemoryToAccelerationStructureKHR,			\
	  (VkCommandBuffer buffer,					\
	   const VkCopyMemoryToAccelerationStructureInfoKHR *a),	\
	  (buffer, a))							\
	X(CmdWriteAccelerationStructuresPropertiesKHR,			\
	  (VkCommandBuffer buffer, uint32_t a,				\
	   const VkAccelerationStructureKHR *b, VkQueryType c,		\
	   VkQueryPool d, uint32_t e),					\
	  (buffer, a, b, c, d, e))					\
	X(CmdTraceRaysKHR,						\
	  (VkCommandBuffer buffer,					\
	   const VkStridedDeviceAddressRegionKHR *a,			\
	   const VkStridedDeviceAddressRegionKHR *b,			\
	   const VkStridedDeviceAddressRegionKHR *c,			\
	   const VkStridedDeviceAddressRegionKHR *d, uint32_t e,	\
	   uint32_t f, uint32_t g),					\
	  (buffer, a, b, c, d, e, f, g))				\
	X(CmdTraceRaysIndirectKHR,					\
	  (VkCommandBuffer buffer,					\
	   const VkStridedDeviceAddressRegionKHR *a,			\
	   const VkStridedDeviceAddressRegionKHR *b,			\
	   const VkStridedDeviceAddressRegionKHR *c,			\
	   const VkStridedDeviceAddressRegionKHR *d,			\
	   VkDeviceAddress e),						\
	  (buffer, a, b, c, d, e))					\
	X(CmdBuildAccelerationStructuresKHR,				\
	  (VkCommandBuffer buffer, uint32_t a,				\
	   const VkAccelerationStructureBuildGeometryInfoKHR *b,	\
	   const VkAccelerationStructureBuildRangeInfoKHR *const *c),	\
	  (buffer, a, b, c))						\
	X(CmdBuildAccelerationStructuresIndirectKHR,			\
	  (VkCommandBuffer buffer, uint32_t a,				\
	   const VkAccelerationStructureBuildGeometryInfoKHR *b,	\
	   const VkDeviceAddress *c, const uint32_t *d,			\
	   const uint32_t *const *e),					\
	  (buffer, a, b, c, d, e))					\
	X(CmdCopyBuffer2,						\
	  (VkCommandBuffer buffer, const VkCopyBufferInfo2 *a),		\
	  (buffer, a))							\
	X(CmdCopyImage2,						\
	  (VkCommandBuffer buffer, const VkCopyImageInfo2 *a),		\
	  (buffer, a))							\
	X(CmdBlitImage2,						\
	  (VkCommandBuffer buffer, const VkBlitImageInfo2 *a),		\
	  (buffer, a))							\
	X(CmdCopyBufferToImage2,					\
	  (VkCommandBuffer buffer,					\
	   const VkCopyBufferToImageInfo2 *a),				\
	  (buffer, a))							\
	X(CmdCopyImageToBuffer2,					\
	  (VkCommandBuffer buffer,					\
	   const VkCopyImageToBufferInfo2 *a),				\
	  (buffer, a))							\
	X(CmdResolveImage2,						\
	  (VkCommandBuffer buffer, const VkResolveImageInfo2 *a),	\
	  (buffer, a))							\
	X(CmdSetEvent2,							\
	  (VkCommandBuffer buffer, VkEvent a,				\
	   const VkDependencyInfo *b),					\
	  (buffer, a, b))						\
	X(CmdResetEvent2,						\
	  (VkCommandBuffer buffer, VkEvent a,				\
	   VkPipelineStageFlags2 b),					\
	  (buffer, a, b))						\
	X(CmdWaitEvents2,						\
	  (VkCommandBuffer buffer, uint32_t a, const VkEvent *b,	\
	   const VkDependencyInfo *c),					\
	  (buffer, a, b, c))						\
	X(CmdPipelineBarrier2,						\
	  (VkCommandBuffer buffer, const VkDependencyInfo *a),		\
	  (buffer, a))							\
	X(CmdWriteTimestamp2,						\
	  (VkCommandBuffer buffer, VkPipelineStageFlags2 a,		\
	   VkQueryPool b, uint32_t c),					\
	  (buffer, a, b, c))						\
	X(CmdWriteBufferMarker2AMD,					\
	  (VkCommandBuffer buffer, VkPipelineStageFlags2 a,		\
	   VkBuffer b, VkDeviceSize c, uint32_t d),			\
	  (buffer, a, b, c, d))

/* Newer headers of Vulkan alone have these. */
#ifdef VK_EXT_mesh_shader
#define GPA_ACTING_MESH(X)						\
	X(CmdDrawMeshTasksEXT,						\
	  (VkCommandBuffer buffer, uint32_t a, uint32_t b,		\
	   uint32_t c),							\
	  (buffer, a, b, c))						\
	X(CmdDrawMeshTasksIndirectEXT,					\
	  (VkCommandBuffer buffer, VkBuffer a, VkDeviceSize b,		\
	   uint32_t c, uint32_t d),					\
	  (buffer, a, b, c, d))						\
	X(CmdDrawMeshTasksIndirectCountEXT,				\
	  (VkCommandBuffer buffer, VkBuffer a, VkDeviceSize b,		\
	   VkBuffer c, VkDeviceSize d, uint32_t e, uint32_t f),		\
	  (buffer, a, b, c, d, e, f))
#else
#define GPA_ACTING_MESH(X)
#endif

#ifdef VK_KHR_ray_tracing_maintenance1
#define GPA_ACTING_RAYS(X)						\
	X(CmdTraceRaysIndirect2KHR,					\
	  (VkCommandBuffer buffer, VkDeviceAddress a),			\
	  (buffer, a))
#else
#define GPA_ACTING_RAYS(X)
#endif

#ifdef VK_EXT_opacity_micromap
#define GPA_ACTING_MICROMAP(X)						\
	X(CmdBuildMicromapsEXT,						\
	  (VkCommandBuffer buffer, uint32_t a,				\
	   const VkMicromapBuildInfoEXT *b),				\
	  (buffer, a, b))						\
	X(CmdCopyMicromapEXT,						\
	  (VkCommandBuffer buffer, const VkCopyMicromapInfoEXT *a),	\
	  (buffer, a))							\
	X(CmdCopyMicromapToMemoryEXT,					\
	  (VkCommandBuffer buffer,					\
	   const VkCopyMicromapToMemoryInfoEXT *a),			\
	  (buffer, a))							\
	X(CmdCopyMemoryToMicromapEXT,					\
	  (VkCommandBuffer buffer,					\
	   const VkCopyMemoryToMicromapInfoEXT *a),			\
	  (buffer, a))							\
	X(CmdWriteMicromapsPropertiesEXT,				\
	  (VkCommandBuffer buffer, uint32_t a,				\
	   const VkMicromapEXT *b, VkQueryType c, VkQueryPool d,	\
	   uint32_t e),							\
	  (buffer, a, b, c, d, e))
#else
#define GPA_ACTING_MICROMAP(X)
#endif

#define GPA_ACTING(X) \
	GPA_ACTING_BASE(X) GPA_ACTING_MESH(X) GPA_ACTING_RAYS(X) \
	GPA_ACTING_MICROMAP(X)

/* Other names of the same commands: X(alias, name). */
#define GPA_ACTING_ALIASES(X) \
	X(CmdDispatchBaseKHR, CmdDispatchBase) \
	X(CmdNextSubpass2KHR, CmdNextSubpass2) \
	X(CmdDrawIndirectCountKHR, CmdDrawIndirectCount) \
	X(CmdDrawIndirectCountAMD, CmdDrawIndirectCount) \
	X(CmdDrawIndexedIndirectCountKHR, CmdDrawIndexedIndirectCount) \
	X(CmdDrawIndexedIndirectCountAMD, CmdDrawIndexedIndirectCount) \
	X(CmdCopyBuffer2KHR, CmdCopyBuffer2) \
	X(CmdCopyImage2KHR, CmdCopyImage2) \
	X(CmdBlitImage2KHR, CmdBlitImage2) \
	X(CmdCopyBufferToImage2KHR, CmdCopyBufferToImage2) \
	X(CmdCopyImageToBuffer2KHR, CmdCopyImageToBuffer2) \
	X(CmdResolveImage2KHR, CmdResolveImage2) \
	X(CmdSetEvent2KHR, CmdSetEvent2) \
	X(CmdResetEvent2KHR, CmdResetEvent2) \
	X(CmdWaitEvents2KHR, CmdWaitEvents2) \
	X(CmdPipelineBarrier2KHR, CmdPipelineBarrier2) \
	X(CmdWriteTimestamp2KHR, CmdWriteTimestamp2)

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_ACTING_LIST_H */
