/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands that set state, see gpa_state.h, as lists for the preprocessor.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_STATE_LIST_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_STATE_LIST_H

#include <vulkan/vulkan.h>

/*
 * Commands that are set again behind a cut, as the Vulkan registry has them
 * (vk.xml, version 1.3.239):
 *
 *	X(name, count of parameters, what is replaced, what is copied, types)
 *
 * The parameters behind the command buffer are called a, b, and so on. An
 * earlier call of the same command is forgotten when this one replaces it:
 *	ALL			by any
 *	PART(of, first, count)	by one that has all its elements of the same
 *	FACES(mask)		by one for the same faces, or both
 *	BYTES(layout, stages, first, count)	as PART
 *	PUSHED			by one that writes the same descriptors
 *	IN_PASS			by any, or by the end of the render pass
 * What is pointed to is copied:
 *	LIST(list, count)	elements; NULL stays NULL
 *	LIST_OF(list, count, type)	the same for void
 *	WRITES(list, count)	writes of descriptors, and what they point to
 *	COPY(info, kind)	a structure, and what it points to
 */
#define GPA_STATE_BASE(X)                                                      \
	X(CmdBindPipeline, 2, PART(a, 0, 1), NOTHING, VkPipelineBindPoint,     \
	  VkPipeline)                                                          \
	X(CmdBindDescriptorSets, 7, PART(a, c, d), LIST(e, d) LIST(g, f),      \
	  VkPipelineBindPoint, VkPipelineLayout, uint32_t, uint32_t,           \
	  const VkDescriptorSet *, uint32_t, const uint32_t *)                 \
	X(CmdBindIndexBuffer, 3, ALL, NOTHING, VkBuffer, VkDeviceSize,         \
	  VkIndexType)                                                         \
	X(CmdBindVertexBuffers, 4, PART(0, a, b), LIST(c, b) LIST(d, b),       \
	  uint32_t, uint32_t, const VkBuffer *, const VkDeviceSize *)          \
	X(CmdBindVertexBuffers2, 6, PART(f != NULL, a, b),                     \
	  LIST(c, b) LIST(d, b) LIST(e, b) LIST(f, b), uint32_t, uint32_t,     \
	  const VkBuffer *, const VkDeviceSize *, const VkDeviceSize *,        \
	  const VkDeviceSize *)                                                \
	X(CmdBindTransformFeedbackBuffersEXT, 5, PART(0, a, b),                \
	  LIST(c, b) LIST(d, b) LIST(e, b), uint32_t, uint32_t,                \
	  const VkBuffer *, const VkDeviceSize *, const VkDeviceSize *)        \
	X(CmdPushConstants, 5, BYTES(a, b, c, d), LIST_OF(e, d, char),         \
	  VkPipelineLayout, VkShaderStageFlags, uint32_t, uint32_t,            \
	  const void *)                                                        \
	X(CmdPushDescriptorSetKHR, 5, PUSHED, WRITES(e, d),                    \
	  VkPipelineBindPoint, VkPipelineLayout, uint32_t, uint32_t,           \
	  const VkWriteDescriptorSet *)                                        \
	X(CmdSetViewport, 3, PART(0, a, b), LIST(c, b), uint32_t, uint32_t,    \
	  const VkViewport *)                                                  \
	X(CmdSetScissor, 3, PART(0, a, b), LIST(c, b), uint32_t, uint32_t,     \
	  const VkRect2D *)                                                    \
	X(CmdSetLineWidth, 1, ALL, NOTHING, float)                             \
	X(CmdSetDepthBias, 3, ALL, NOTHING, float, float, float)               \
	X(CmdSetBlendConstants, 1, ALL, LIST(a, 4), const float *)             \
	X(CmdSetDepthBounds, 2, ALL, NOTHING, float, float)                    \
	X(CmdSetStencilCompareMask, 2, FACES(a), NOTHING, VkStencilFaceFlags,  \
	  uint32_t)                                                            \
	X(CmdSetStencilWriteMask, 2, FACES(a), NOTHING, VkStencilFaceFlags,    \
	  uint32_t)                                                            \
	X(CmdSetStencilReference, 2, FACES(a), NOTHING, VkStencilFaceFlags,    \
	  uint32_t)                                                            \
	X(CmdSetCullMode, 1, ALL, NOTHING, VkCullModeFlags)                    \
	X(CmdSetFrontFace, 1, ALL, NOTHING, VkFrontFace)                       \
	X(CmdSetPrimitiveTopology, 1, ALL, NOTHING, VkPrimitiveTopology)       \
	X(CmdSetViewportWithCount, 2, ALL, LIST(b, a), uint32_t,               \
	  const VkViewport *)                                                  \
	X(CmdSetScissorWithCount, 2, ALL, LIST(b, a), uint32_t,                \
	  const VkRect2D *)                                                    \
	X(CmdSetDepthTestEnable, 1, ALL, NOTHING, VkBool32)                    \
	X(CmdSetDepthWriteEnable, 1, ALL, NOTHING, VkBool32)                   \
	X(CmdSetDepthCompareOp, 1, ALL, NOTHING, VkCompareOp)                  \
	X(CmdSetDepthBoundsTestEnable, 1, ALL, NOTHING, VkBool32)              \
	X(CmdSetStencilTestEnable, 1, ALL, NOTHING, VkBool32)                  \
	X(CmdSetStencilOp, 5, FACES(a), NOTHING, VkStencilFaceFlags,           \
	  VkStencilOp, VkStencilOp, VkStencilOp, VkCompareOp)                  \
	X(CmdSetRasterizerDiscardEnable, 1, ALL, NOTHING, VkBool32)            \
	X(CmdSetDepthBiasEnable, 1, ALL, NOTHING, VkBool32)                    \
	X(CmdSetPrimitiveRestartEnable, 1, ALL, NOTHING, VkBool32)             \
	X(CmdSetPatchControlPointsEXT, 1, ALL, NOTHING, uint32_t)              \
	X(CmdSetLogicOpEXT, 1, ALL, NOTHING, VkLogicOp)                        \
	X(CmdSetVertexInputEXT, 4, ALL, LIST(b, a) LIST(d, c), uint32_t,       \
	  const VkVertexInputBindingDescription2EXT *, uint32_t,               \
	  const VkVertexInputAttributeDescription2EXT *)                       \
	X(CmdSetColorWriteEnableEXT, 2, PART(0, 0, a), LIST(b, a), uint32_t,   \
	  const VkBool32 *)                                                    \
	X(CmdSetFragmentShadingRateKHR, 2, ALL, LIST(a, 1) LIST(b, 2),         \
	  const VkExtent2D *, const VkFragmentShadingRateCombinerOpKHR *)      \
	X(CmdSetDiscardRectangleEXT, 3, PART(0, a, b), LIST(c, b), uint32_t,   \
	  uint32_t, const VkRect2D *)                                          \
	X(CmdSetLineStippleEXT, 2, ALL, NOTHING, uint32_t, uint16_t)           \
	X(CmdSetRayTracingPipelineStackSizeKHR, 1, ALL, NOTHING, uint32_t)     \
	X(CmdSetTessellationDomainOriginEXT, 1, ALL, NOTHING,                  \
	  VkTessellationDomainOrigin)                                          \
	X(CmdSetDepthClampEnableEXT, 1, ALL, NOTHING, VkBool32)                \
	X(CmdSetPolygonModeEXT, 1, ALL, NOTHING, VkPolygonMode)                \
	X(CmdSetRasterizationSamplesEXT, 1, ALL, NOTHING,                      \
	  VkSampleCountFlagBits)                                               \
	X(CmdSetSampleMaskEXT, 2, PART(0, 0, (uint32_t)a),                     \
	  LIST(b, ((size_t)a + 31) / 32), VkSampleCountFlagBits,               \
	  const VkSampleMask *)                                                \
	X(CmdSetAlphaToCoverageEnableEXT, 1, ALL, NOTHING, VkBool32)           \
	X(CmdSetAlphaToOneEnableEXT, 1, ALL, NOTHING, VkBool32)                \
	X(CmdSetLogicOpEnableEXT, 1, ALL, NOTHING, VkBool32)                   \
	X(CmdSetColorBlendEnableEXT, 3, PART(0, a, b), LIST(c, b), uint32_t,   \
	  uint32_t, const VkBool32 *)                                          \
	X(CmdSetColorBlendEquationEXT, 3, PART(0, a, b), LIST(c, b), uint32_t, \
	  uint32_t, const VkColorBlendEquationEXT *)                           \
	X(CmdSetColorWriteMaskEXT, 3, PART(0, a, b), LIST(c, b), uint32_t,     \
	  uint32_t, const VkColorComponentFlags *)                             \
	X(CmdSetColorBlendAdvancedEXT, 3, PART(0, a, b), LIST(c, b), uint32_t, \
	  uint32_t, const VkColorBlendAdvancedEXT *)                           \
	X(CmdSetRasterizationStreamEXT, 1, ALL, NOTHING, uint32_t)             \
	X(CmdSetConservativeRasterizationModeEXT, 1, ALL, NOTHING,             \
	  VkConservativeRasterizationModeEXT)                                  \
	X(CmdSetExtraPrimitiveOverestimationSizeEXT, 1, ALL, NOTHING, float)   \
	X(CmdSetDepthClipEnableEXT, 1, ALL, NOTHING, VkBool32)                 \
	X(CmdSetSampleLocationsEnableEXT, 1, ALL, NOTHING, VkBool32)           \
	X(CmdSetProvokingVertexModeEXT, 1, ALL, NOTHING,                       \
	  VkProvokingVertexModeEXT)                                            \
	X(CmdSetLineRasterizationModeEXT, 1, ALL, NOTHING,                     \
	  VkLineRasterizationModeEXT)                                          \
	X(CmdSetLineStippleEnableEXT, 1, ALL, NOTHING, VkBool32)               \
	X(CmdSetDepthClipNegativeOneToOneEXT, 1, ALL, NOTHING, VkBool32)

/* Commands of VK_EXT_extended_dynamic_state3 that only NVIDIA's GPUs have. */
#define GPA_STATE_NV(X)                                                        \
	X(CmdSetViewportWScalingEnableNV, 1, ALL, NOTHING, VkBool32)           \
	X(CmdSetViewportSwizzleNV, 3, PART(0, a, b), LIST(c, b), uint32_t,     \
	  uint32_t, const VkViewportSwizzleNV *)                               \
	X(CmdSetCoverageToColorEnableNV, 1, ALL, NOTHING, VkBool32)            \
	X(CmdSetCoverageToColorLocationNV, 1, ALL, NOTHING, uint32_t)          \
	X(CmdSetCoverageModulationModeNV, 1, ALL, NOTHING,                     \
	  VkCoverageModulationModeNV)                                          \
	X(CmdSetCoverageModulationTableEnableNV, 1, ALL, NOTHING, VkBool32)    \
	X(CmdSetCoverageModulationTableNV, 2, PART(0, 0, a), LIST(b, a),       \
	  uint32_t, const float *)                                             \
	X(CmdSetShadingRateImageEnableNV, 1, ALL, NOTHING, VkBool32)           \
	X(CmdSetRepresentativeFragmentTestEnableNV, 1, ALL, NOTHING, VkBool32) \
	X(CmdSetCoverageReductionModeNV, 1, ALL, NOTHING,                      \
	  VkCoverageReductionModeNV)

#ifdef VK_EXT_descriptor_buffer
#define GPA_STATE_DESCRIPTOR_BUFFER(X)                                         \
	X(CmdSetDescriptorBufferOffsetsEXT, 6, PART(a, c, d),                  \
	  LIST(e, d) LIST(f, d), VkPipelineBindPoint, VkPipelineLayout,        \
	  uint32_t, uint32_t, const uint32_t *, const VkDeviceSize *)          \
	X(CmdBindDescriptorBufferEmbeddedSamplersEXT, 3, PART(a, c, 1),        \
	  NOTHING, VkPipelineBindPoint, VkPipelineLayout, uint32_t)
#else
#define GPA_STATE_DESCRIPTOR_BUFFER(X)
#endif

/* Newer headers of Vulkan alone have these. */
#ifdef VK_KHR_maintenance5
#define GPA_STATE_MAINTENANCE5(X)                                              \
	X(CmdBindIndexBuffer2KHR, 4, ALL, NOTHING, VkBuffer, VkDeviceSize,     \
	  VkDeviceSize, VkIndexType)
#else
#define GPA_STATE_MAINTENANCE5(X)
#endif

#ifdef VK_KHR_maintenance6
#define GPA_STATE_MAINTENANCE6(X)                                              \
	X(CmdBindDescriptorSets2KHR, 1,                                        \
	  PART(a->stageFlags, a->firstSet, a->descriptorSetCount),             \
	  COPY(a, sets), const VkBindDescriptorSetsInfoKHR *)                  \
	X(CmdPushConstants2KHR, 1,                                             \
	  BYTES(a->layout, a->stageFlags, a->offset, a->size),                 \
	  COPY(a, constants), const VkPushConstantsInfoKHR *)                  \
	X(CmdPushDescriptorSet2KHR, 1, PUSHED_2, COPY(a, pushed),              \
	  const VkPushDescriptorSetInfoKHR *)
#else
#define GPA_STATE_MAINTENANCE6(X)
#endif

#ifdef VK_EXT_shader_object
#define GPA_STATE_SHADERS(X)                                                   \
	X(CmdBindShadersEXT, 3, PART(stages_of(b, a), 0, 1),                   \
	  LIST(b, a) LIST(c, a), uint32_t, const VkShaderStageFlagBits *,      \
	  const VkShaderEXT *)
#else
#define GPA_STATE_SHADERS(X)
#endif

#ifdef VK_EXT_attachment_feedback_loop_dynamic_state
#define GPA_STATE_FEEDBACK(X)                                                  \
	X(CmdSetAttachmentFeedbackLoopEnableEXT, 1, ALL, NOTHING,              \
	  VkImageAspectFlags)
#else
#define GPA_STATE_FEEDBACK(X)
#endif

#ifdef VK_EXT_depth_bias_control
#define GPA_STATE_DEPTH_BIAS(X)                                                \
	X(CmdSetDepthBias2EXT, 1, ALL, COPY(a, depth_bias),                    \
	  const VkDepthBiasInfoEXT *)
#else
#define GPA_STATE_DEPTH_BIAS(X)
#endif

#ifdef VK_EXT_depth_clamp_control
#define GPA_STATE_DEPTH_CLAMP(X)                                               \
	X(CmdSetDepthClampRangeEXT, 2, ALL, LIST(b, 1), VkDepthClampModeEXT,   \
	  const VkDepthClampRangeEXT *)
#else
#define GPA_STATE_DEPTH_CLAMP(X)
#endif

#if VK_EXT_DISCARD_RECTANGLES_SPEC_VERSION > 1
#define GPA_STATE_RECTANGLES(X)                                                \
	X(CmdSetDiscardRectangleEnableEXT, 1, ALL, NOTHING, VkBool32)          \
	X(CmdSetDiscardRectangleModeEXT, 1, ALL, NOTHING,                      \
	  VkDiscardRectangleModeEXT)
#else
#define GPA_STATE_RECTANGLES(X)
#endif

#ifdef VK_KHR_dynamic_rendering_local_read
#define GPA_STATE_LOCAL_READ(X)                                                \
	X(CmdSetRenderingAttachmentLocationsKHR, 1, IN_PASS,                   \
	  COPY(a, locations), const VkRenderingAttachmentLocationInfoKHR *)    \
	X(CmdSetRenderingInputAttachmentIndicesKHR, 1, IN_PASS,                \
	  COPY(a, indices), const VkRenderingInputAttachmentIndexInfoKHR *)
#else
#define GPA_STATE_LOCAL_READ(X)
#endif

#define GPA_STATE(X)                                                           \
	GPA_STATE_BASE(X)                                                      \
	GPA_STATE_NV(X)                                                        \
	GPA_STATE_DESCRIPTOR_BUFFER(X)                                         \
	GPA_STATE_MAINTENANCE5(X)                                              \
	GPA_STATE_MAINTENANCE6(X)                                              \
	GPA_STATE_SHADERS(X)                                                   \
	GPA_STATE_FEEDBACK(X)                                                  \
	GPA_STATE_DEPTH_BIAS(X)                                                \
	GPA_STATE_DEPTH_CLAMP(X)                                               \
	GPA_STATE_RECTANGLES(X) GPA_STATE_LOCAL_READ(X)

/* Other names of the same commands: X(alias, name). */
#define GPA_STATE_ALIASES_BASE(X)                                              \
	X(CmdBindVertexBuffers2EXT, CmdBindVertexBuffers2)                     \
	X(CmdPushDescriptorSet, CmdPushDescriptorSetKHR)                       \
	X(CmdSetLineStipple, CmdSetLineStippleEXT)                             \
	X(CmdSetLineStippleKHR, CmdSetLineStippleEXT)                          \
	X(CmdSetCullModeEXT, CmdSetCullMode)                                   \
	X(CmdSetFrontFaceEXT, CmdSetFrontFace)                                 \
	X(CmdSetPrimitiveTopologyEXT, CmdSetPrimitiveTopology)                 \
	X(CmdSetViewportWithCountEXT, CmdSetViewportWithCount)                 \
	X(CmdSetScissorWithCountEXT, CmdSetScissorWithCount)                   \
	X(CmdSetDepthTestEnableEXT, CmdSetDepthTestEnable)                     \
	X(CmdSetDepthWriteEnableEXT, CmdSetDepthWriteEnable)                   \
	X(CmdSetDepthCompareOpEXT, CmdSetDepthCompareOp)                       \
	X(CmdSetDepthBoundsTestEnableEXT, CmdSetDepthBoundsTestEnable)         \
	X(CmdSetStencilTestEnableEXT, CmdSetStencilTestEnable)                 \
	X(CmdSetStencilOpEXT, CmdSetStencilOp)                                 \
	X(CmdSetRasterizerDiscardEnableEXT, CmdSetRasterizerDiscardEnable)     \
	X(CmdSetDepthBiasEnableEXT, CmdSetDepthBiasEnable)                     \
	X(CmdSetPrimitiveRestartEnableEXT, CmdSetPrimitiveRestartEnable)

#ifdef VK_KHR_maintenance5
#define GPA_STATE_ALIASES5(X) X(CmdBindIndexBuffer2, CmdBindIndexBuffer2KHR)
#else
#define GPA_STATE_ALIASES5(X)
#endif

#ifdef VK_KHR_maintenance6
#define GPA_STATE_ALIASES6(X)                                                  \
	X(CmdBindDescriptorSets2, CmdBindDescriptorSets2KHR)                   \
	X(CmdPushConstants2, CmdPushConstants2KHR)                             \
	X(CmdPushDescriptorSet2, CmdPushDescriptorSet2KHR)
#else
#define GPA_STATE_ALIASES6(X)
#endif

#ifdef VK_KHR_dynamic_rendering_local_read
#define GPA_STATE_ALIASES_LOCAL_READ(X)                                        \
	X(CmdSetRenderingAttachmentLocations,                                  \
	  CmdSetRenderingAttachmentLocationsKHR)                               \
	X(CmdSetRenderingInputAttachmentIndices,                               \
	  CmdSetRenderingInputAttachmentIndicesKHR)
#else
#define GPA_STATE_ALIASES_LOCAL_READ(X)
#endif

#define GPA_STATE_ALIASES(X)                                                   \
	GPA_STATE_ALIASES_BASE(X)                                              \
	GPA_STATE_ALIASES5(X)                                                  \
	GPA_STATE_ALIASES6(X) GPA_STATE_ALIASES_LOCAL_READ(X)

/*
 * Descriptors that are pushed by a template, which are set again without it:
 * X(name, parameters, arguments, template, layout, set, data, what else is
 * pointed to).
 */
#define GPA_TEMPLATES_BASE(X)                                                  \
	X(CmdPushDescriptorSetWithTemplateKHR,                                 \
	  (VkCommandBuffer buffer, VkDescriptorUpdateTemplate a,               \
	   VkPipelineLayout b, uint32_t c, const void *d),                     \
	  (buffer, a, b, c, d), a, b, c, d, NULL)

#ifdef VK_KHR_maintenance6
#define GPA_TEMPLATES6(X)                                                      \
	X(CmdPushDescriptorSetWithTemplate2KHR,                                \
	  (VkCommandBuffer buffer,                                             \
	   const VkPushDescriptorSetWithTemplateInfoKHR *a),                   \
	  (buffer, a), a->descriptorUpdateTemplate, a->layout, a->set,         \
	  a->pData, a->pNext)
#define GPA_TEMPLATES_ALIASES6(X)                                              \
	X(CmdPushDescriptorSetWithTemplate2,                                   \
	  CmdPushDescriptorSetWithTemplate2KHR)
#else
#define GPA_TEMPLATES6(X)
#define GPA_TEMPLATES_ALIASES6(X)
#endif

#define GPA_TEMPLATES(X) GPA_TEMPLATES_BASE(X) GPA_TEMPLATES6(X)

#define GPA_TEMPLATES_ALIASES(X)                                               \
	GPA_TEMPLATES_ALIASES6(X)                                              \
	X(CmdPushDescriptorSetWithTemplate, CmdPushDescriptorSetWithTemplateKHR)

/*
 * Commands whose state the layer cannot set again: X(name, parameters,
 * arguments). A command buffer that has one is not cut behind it.
 */
#define GPA_FOREIGN_BASE(X)                                                    \
	X(CmdSetDeviceMask, (VkCommandBuffer buffer, uint32_t a), (buffer, a)) \
	X(CmdSetSampleLocationsEXT,                                            \
	  (VkCommandBuffer buffer, const VkSampleLocationsInfoEXT *a),         \
	  (buffer, a))

#ifdef VK_EXT_descriptor_buffer
#define GPA_FOREIGN_DESCRIPTOR_BUFFER(X)                                       \
	X(CmdBindDescriptorBuffersEXT,                                         \
	  (VkCommandBuffer buffer, uint32_t a,                                 \
	   const VkDescriptorBufferBindingInfoEXT *b),                         \
	  (buffer, a, b))
#else
#define GPA_FOREIGN_DESCRIPTOR_BUFFER(X)
#endif

#ifdef VK_KHR_maintenance6
#define GPA_FOREIGN_MAINTENANCE6(X)                                            \
	X(CmdSetDescriptorBufferOffsets2EXT,                                   \
	  (VkCommandBuffer buffer,                                             \
	   const VkSetDescriptorBufferOffsetsInfoEXT *a),                      \
	  (buffer, a))                                                         \
	X(CmdBindDescriptorBufferEmbeddedSamplers2EXT,                         \
	  (VkCommandBuffer buffer,                                             \
	   const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *a),            \
	  (buffer, a))
#else
#define GPA_FOREIGN_MAINTENANCE6(X)
#endif

#define GPA_FOREIGN(X)                                                         \
	GPA_FOREIGN_BASE(X)                                                    \
	GPA_FOREIGN_DESCRIPTOR_BUFFER(X) GPA_FOREIGN_MAINTENANCE6(X)

/* Other names of these, some of which came later: X(alias, name). */
#define GPA_FOREIGN_ALIASES(X) X(CmdSetDeviceMaskKHR, CmdSetDeviceMask)

/* Labels: X(name, parameters, arguments). They run on behind a cut. */
#define GPA_LABELS(X)                                                          \
	X(CmdBeginDebugUtilsLabelEXT,                                          \
	  (VkCommandBuffer buffer, const VkDebugUtilsLabelEXT *a),             \
	  (buffer, a))                                                         \
	X(CmdEndDebugUtilsLabelEXT, (VkCommandBuffer buffer), (buffer))        \
	X(CmdInsertDebugUtilsLabelEXT,                                         \
	  (VkCommandBuffer buffer, const VkDebugUtilsLabelEXT *a),             \
	  (buffer, a))                                                         \
	X(CmdDebugMarkerBeginEXT,                                              \
	  (VkCommandBuffer buffer, const VkDebugMarkerMarkerInfoEXT *a),       \
	  (buffer, a))                                                         \
	X(CmdDebugMarkerEndEXT, (VkCommandBuffer buffer), (buffer))            \
	X(CmdDebugMarkerInsertEXT,                                             \
	  (VkCommandBuffer buffer, const VkDebugMarkerMarkerInfoEXT *a),       \
	  (buffer, a))

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_STATE_LIST_H */
