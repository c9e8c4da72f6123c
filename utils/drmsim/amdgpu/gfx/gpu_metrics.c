/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/gpu_metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"

static const struct gpu_metrics_layout layouts[] = {
	{ "1.0", 1, 0,
	  "8:system_clock_counter 2:temperature_edge "
	  "2:temperature_hotspot 2:temperature_mem 2:temperature_vrgfx "
	  "2:temperature_vrsoc 2:temperature_vrmem "
	  "2:average_gfx_activity 2:average_umc_activity "
	  "2:average_mm_activity 2:average_socket_power "
	  "4:energy_accumulator 2:average_gfxclk_frequency "
	  "2:average_socclk_frequency 2:average_uclk_frequency "
	  "2:average_vclk0_frequency 2:average_dclk0_frequency "
	  "2:average_vclk1_frequency 2:average_dclk1_frequency "
	  "2:current_gfxclk 2:current_socclk 2:current_uclk "
	  "2:current_vclk0 2:current_dclk0 2:current_vclk1 "
	  "2:current_dclk1 4:throttle_status 2:current_fan_speed "
	  "1:pcie_link_width 1:pcie_link_speed" },
	{ "1.3", 1, 3,
	  "2:temperature_edge 2:temperature_hotspot 2:temperature_mem "
	  "2:temperature_vrgfx 2:temperature_vrsoc 2:temperature_vrmem "
	  "2:average_gfx_activity 2:average_umc_activity "
	  "2:average_mm_activity 2:average_socket_power "
	  "8:energy_accumulator 8:system_clock_counter "
	  "2:average_gfxclk_frequency 2:average_socclk_frequency "
	  "2:average_uclk_frequency 2:average_vclk0_frequency "
	  "2:average_dclk0_frequency 2:average_vclk1_frequency "
	  "2:average_dclk1_frequency 2:current_gfxclk 2:current_socclk "
	  "2:current_uclk 2:current_vclk0 2:current_dclk0 "
	  "2:current_vclk1 2:current_dclk1 4:throttle_status "
	  "2:current_fan_speed 2:pcie_link_width 2:pcie_link_speed "
	  "4:gfx_activity_acc 4:mem_activity_acc 2:temperature_hbm*4 "
	  "8:firmware_timestamp 2:voltage_soc 2:voltage_gfx "
	  "2:voltage_mem 8:indep_throttle_status" },
	{ "1.4", 1, 4,
	  "2:temperature_hotspot 2:temperature_mem 2:temperature_vrsoc "
	  "2:curr_socket_power 2:average_gfx_activity "
	  "2:average_umc_activity 2:vcn_activity*4 8:energy_accumulator "
	  "8:system_clock_counter 4:throttle_status "
	  "4:gfxclk_lock_status 2:pcie_link_width 2:pcie_link_speed "
	  "2:xgmi_link_width 2:xgmi_link_speed 4:gfx_activity_acc "
	  "4:mem_activity_acc 8:pcie_bandwidth_acc "
	  "8:pcie_bandwidth_inst 8:pcie_l0_to_recov_count_acc "
	  "8:pcie_replay_count_acc 8:pcie_replay_rover_count_acc "
	  "8:xgmi_read_data_acc*8 8:xgmi_write_data_acc*8 "
	  "8:firmware_timestamp 2:current_gfxclk*8 2:current_socclk*4 "
	  "2:current_vclk0*4 2:current_dclk0*4 2:current_uclk" },
	{ "1.5", 1, 5,
	  "2:temperature_hotspot 2:temperature_mem 2:temperature_vrsoc "
	  "2:curr_socket_power 2:average_gfx_activity "
	  "2:average_umc_activity 2:vcn_activity*4 2:jpeg_activity*32 "
	  "8:energy_accumulator 8:system_clock_counter "
	  "4:throttle_status 4:gfxclk_lock_status 2:pcie_link_width "
	  "2:pcie_link_speed 2:xgmi_link_width 2:xgmi_link_speed "
	  "4:gfx_activity_acc 4:mem_activity_acc 8:pcie_bandwidth_acc "
	  "8:pcie_bandwidth_inst 8:pcie_l0_to_recov_count_acc "
	  "8:pcie_replay_count_acc 8:pcie_replay_rover_count_acc "
	  "4:pcie_nak_sent_count_acc 4:pcie_nak_rcvd_count_acc "
	  "8:xgmi_read_data_acc*8 8:xgmi_write_data_acc*8 "
	  "8:firmware_timestamp 2:current_gfxclk*8 2:current_socclk*4 "
	  "2:current_vclk0*4 2:current_dclk0*4 2:current_uclk" },
	{ "1.6-reverted", 1, 6,
	  "2:temperature_hotspot 2:temperature_mem 2:temperature_vrsoc "
	  "2:curr_socket_power 2:average_gfx_activity "
	  "2:average_umc_activity 2:vcn_activity*4 2:jpeg_activity*32 "
	  "8:energy_accumulator 8:system_clock_counter "
	  "4:accumulation_counter 4:prochot_residency_acc "
	  "4:ppt_residency_acc 4:socket_thm_residency_acc "
	  "4:vr_thm_residency_acc 4:hbm_thm_residency_acc "
	  "4:throttle_status 4:gfxclk_lock_status 2:pcie_link_width "
	  "2:pcie_link_speed 2:xgmi_link_width 2:xgmi_link_speed "
	  "4:gfx_activity_acc 4:mem_activity_acc 8:pcie_bandwidth_acc "
	  "8:pcie_bandwidth_inst 8:pcie_l0_to_recov_count_acc "
	  "8:pcie_replay_count_acc 8:pcie_replay_rover_count_acc "
	  "4:pcie_nak_sent_count_acc 4:pcie_nak_rcvd_count_acc "
	  "8:xgmi_read_data_acc*8 8:xgmi_write_data_acc*8 "
	  "8:firmware_timestamp 2:current_gfxclk*8 2:current_socclk*4 "
	  "2:current_vclk0*4 2:current_dclk0*4 2:current_uclk" },
	{ "1.6", 1, 6,
	  "2:temperature_hotspot 2:temperature_mem 2:temperature_vrsoc "
	  "2:curr_socket_power 2:average_gfx_activity "
	  "2:average_umc_activity 8:energy_accumulator "
	  "8:system_clock_counter 4:accumulation_counter "
	  "4:prochot_residency_acc 4:ppt_residency_acc "
	  "4:socket_thm_residency_acc 4:vr_thm_residency_acc "
	  "4:hbm_thm_residency_acc 4:gfxclk_lock_status "
	  "2:pcie_link_width 2:pcie_link_speed 2:xgmi_link_width "
	  "2:xgmi_link_speed 4:gfx_activity_acc 4:mem_activity_acc "
	  "8:pcie_bandwidth_acc 8:pcie_bandwidth_inst "
	  "8:pcie_l0_to_recov_count_acc 8:pcie_replay_count_acc "
	  "8:pcie_replay_rover_count_acc 4:pcie_nak_sent_count_acc "
	  "4:pcie_nak_rcvd_count_acc 8:xgmi_read_data_acc*8 "
	  "8:xgmi_write_data_acc*8 8:firmware_timestamp "
	  "2:current_gfxclk*8 2:current_socclk*4 2:current_vclk0*4 "
	  "2:current_dclk0*4 2:current_uclk 2:num_partition { "
	  "4:gfx_busy_inst*8 2:jpeg_busy*32 2:vcn_busy*4 "
	  "8:gfx_busy_acc*8 } 4:pcie_lc_perf_other_end_recovery" },
	{ "1.7", 1, 7,
	  "2:temperature_hotspot 2:temperature_mem 2:temperature_vrsoc "
	  "2:curr_socket_power 2:average_gfx_activity "
	  "2:average_umc_activity 8:mem_max_bandwidth "
	  "8:energy_accumulator 8:system_clock_counter "
	  "4:accumulation_counter 4:prochot_residency_acc "
	  "4:ppt_residency_acc 4:socket_thm_residency_acc "
	  "4:vr_thm_residency_acc 4:hbm_thm_residency_acc "
	  "4:gfxclk_lock_status 2:pcie_link_width 2:pcie_link_speed "
	  "2:xgmi_link_width 2:xgmi_link_speed 4:gfx_activity_acc "
	  "4:mem_activity_acc 8:pcie_bandwidth_acc "
	  "8:pcie_bandwidth_inst 8:pcie_l0_to_recov_count_acc "
	  "8:pcie_replay_count_acc 8:pcie_replay_rover_count_acc "
	  "4:pcie_nak_sent_count_acc 4:pcie_nak_rcvd_count_acc "
	  "8:xgmi_read_data_acc*8 8:xgmi_write_data_acc*8 "
	  "2:xgmi_link_status*8 2:padding "
	  "8:firmware_timestamp 2:current_gfxclk*8 "
	  "2:current_socclk*4 2:current_vclk0*4 2:current_dclk0*4 "
	  "2:current_uclk 2:num_partition { 4:gfx_busy_inst*8 "
	  "2:jpeg_busy*32 2:vcn_busy*4 8:gfx_busy_acc*8 "
	  "8:gfx_below_host_limit_acc*8 } "
	  "4:pcie_lc_perf_other_end_recovery" },
	{ "1.8", 1, 8,
	  "2:temperature_hotspot 2:temperature_mem 2:temperature_vrsoc "
	  "2:curr_socket_power 2:average_gfx_activity "
	  "2:average_umc_activity 8:mem_max_bandwidth "
	  "8:energy_accumulator 8:system_clock_counter "
	  "4:accumulation_counter 4:prochot_residency_acc "
	  "4:ppt_residency_acc 4:socket_thm_residency_acc "
	  "4:vr_thm_residency_acc 4:hbm_thm_residency_acc "
	  "4:gfxclk_lock_status 2:pcie_link_width 2:pcie_link_speed "
	  "2:xgmi_link_width 2:xgmi_link_speed 4:gfx_activity_acc "
	  "4:mem_activity_acc 8:pcie_bandwidth_acc "
	  "8:pcie_bandwidth_inst 8:pcie_l0_to_recov_count_acc "
	  "8:pcie_replay_count_acc 8:pcie_replay_rover_count_acc "
	  "4:pcie_nak_sent_count_acc 4:pcie_nak_rcvd_count_acc "
	  "8:xgmi_read_data_acc*8 8:xgmi_write_data_acc*8 "
	  "2:xgmi_link_status*8 2:padding "
	  "8:firmware_timestamp 2:current_gfxclk*8 "
	  "2:current_socclk*4 2:current_vclk0*4 2:current_dclk0*4 "
	  "2:current_uclk 2:num_partition { 4:gfx_busy_inst*8 "
	  "2:jpeg_busy*40 2:vcn_busy*4 8:gfx_busy_acc*8 "
	  "8:gfx_below_host_limit_ppt_acc*8 "
	  "8:gfx_below_host_limit_thm_acc*8 8:gfx_low_utilization_acc*8 "
	  "8:gfx_below_host_limit_total_acc*8 } "
	  "4:pcie_lc_perf_other_end_recovery" },
	{ "2.1", 2, 1,
	  "2:temperature_gfx 2:temperature_soc 2:temperature_core*8 "
	  "2:temperature_l3*2 2:average_gfx_activity "
	  "2:average_mm_activity 8:system_clock_counter "
	  "2:average_socket_power 2:average_cpu_power "
	  "2:average_soc_power 2:average_gfx_power "
	  "2:average_core_power*8 2:average_gfxclk_frequency "
	  "2:average_socclk_frequency 2:average_uclk_frequency "
	  "2:average_fclk_frequency 2:average_vclk_frequency "
	  "2:average_dclk_frequency 2:current_gfxclk 2:current_socclk "
	  "2:current_uclk 2:current_fclk 2:current_vclk 2:current_dclk "
	  "2:current_coreclk*8 2:current_l3clk*2 4:throttle_status "
	  "2:fan_pwm" },
	{ "2.2", 2, 2,
	  "2:temperature_gfx 2:temperature_soc 2:temperature_core*8 "
	  "2:temperature_l3*2 2:average_gfx_activity "
	  "2:average_mm_activity 8:system_clock_counter "
	  "2:average_socket_power 2:average_cpu_power "
	  "2:average_soc_power 2:average_gfx_power "
	  "2:average_core_power*8 2:average_gfxclk_frequency "
	  "2:average_socclk_frequency 2:average_uclk_frequency "
	  "2:average_fclk_frequency 2:average_vclk_frequency "
	  "2:average_dclk_frequency 2:current_gfxclk 2:current_socclk "
	  "2:current_uclk 2:current_fclk 2:current_vclk 2:current_dclk "
	  "2:current_coreclk*8 2:current_l3clk*2 4:throttle_status "
	  "2:fan_pwm 8:indep_throttle_status" },
	{ "2.3", 2, 3,
	  "2:temperature_gfx 2:temperature_soc 2:temperature_core*8 "
	  "2:temperature_l3*2 2:average_gfx_activity "
	  "2:average_mm_activity 8:system_clock_counter "
	  "2:average_socket_power 2:average_cpu_power "
	  "2:average_soc_power 2:average_gfx_power "
	  "2:average_core_power*8 2:average_gfxclk_frequency "
	  "2:average_socclk_frequency 2:average_uclk_frequency "
	  "2:average_fclk_frequency 2:average_vclk_frequency "
	  "2:average_dclk_frequency 2:current_gfxclk 2:current_socclk "
	  "2:current_uclk 2:current_fclk 2:current_vclk 2:current_dclk "
	  "2:current_coreclk*8 2:current_l3clk*2 4:throttle_status "
	  "2:fan_pwm 8:indep_throttle_status 2:average_temperature_gfx "
	  "2:average_temperature_soc 2:average_temperature_core*8 "
	  "2:average_temperature_l3*2" },
	{ "2.4", 2, 4,
	  "2:temperature_gfx 2:temperature_soc 2:temperature_core*8 "
	  "2:temperature_l3*2 2:average_gfx_activity "
	  "2:average_mm_activity 8:system_clock_counter "
	  "2:average_socket_power 2:average_cpu_power "
	  "2:average_soc_power 2:average_gfx_power "
	  "2:average_core_power*8 2:average_gfxclk_frequency "
	  "2:average_socclk_frequency 2:average_uclk_frequency "
	  "2:average_fclk_frequency 2:average_vclk_frequency "
	  "2:average_dclk_frequency 2:current_gfxclk 2:current_socclk "
	  "2:current_uclk 2:current_fclk 2:current_vclk 2:current_dclk "
	  "2:current_coreclk*8 2:current_l3clk*2 4:throttle_status "
	  "2:fan_pwm 8:indep_throttle_status 2:average_temperature_gfx "
	  "2:average_temperature_soc 2:average_temperature_core*8 "
	  "2:average_temperature_l3*2 2:average_cpu_voltage "
	  "2:average_soc_voltage 2:average_gfx_voltage "
	  "2:average_cpu_current 2:average_soc_current "
	  "2:average_gfx_current" },
	{ "3.0", 3, 0,
	  "2:temperature_gfx 2:temperature_soc 2:temperature_core*16 "
	  "2:temperature_skin 2:average_gfx_activity "
	  "2:average_vcn_activity 2:average_ipu_activity*8 "
	  "2:average_core_c0_activity*16 2:average_dram_reads "
	  "2:average_dram_writes 2:average_ipu_reads "
	  "2:average_ipu_writes 8:system_clock_counter "
	  "4:average_socket_power 2:average_ipu_power "
	  "4:average_apu_power 4:average_gfx_power 4:average_dgpu_power "
	  "4:average_all_core_power 2:average_core_power*16 "
	  "2:average_sys_power 2:stapm_power_limit "
	  "2:current_stapm_power_limit 2:average_gfxclk_frequency "
	  "2:average_socclk_frequency 2:average_vpeclk_frequency "
	  "2:average_ipuclk_frequency 2:average_fclk_frequency "
	  "2:average_vclk_frequency 2:average_uclk_frequency "
	  "2:average_mpipu_frequency 2:current_coreclk*16 "
	  "2:current_core_maxfreq 2:current_gfx_maxfreq "
	  "4:throttle_residency_prochot 4:throttle_residency_spl "
	  "4:throttle_residency_fppt 4:throttle_residency_sppt "
	  "4:throttle_residency_thm_core 4:throttle_residency_thm_gfx "
	  "4:throttle_residency_thm_soc 4:time_filter_alphavalue" },
	{ "1.9", 1, 9,
	  "2:temperature_hotspot@0/2 2:temperature_mem@1/2 "
	  "2:temperature_vrsoc@2/2 2:curr_socket_power@3/3 "
	  "2:average_gfx_activity@4/10 2:average_umc_activity@5/10 "
	  "8:mem_max_bandwidth@6/8 8:energy_accumulator@7/0 "
	  "8:system_clock_counter@8/4 4:accumulation_counter@9/0 "
	  "4:prochot_residency_acc@10/0 4:ppt_residency_acc@11/0 "
	  "4:socket_thm_residency_acc@12/0 4:vr_thm_residency_acc@13/0 "
	  "4:hbm_thm_residency_acc@14/0 4:gfxclk_lock_status@15/0 "
	  "2:pcie_link_width@16/0 2:pcie_link_speed@17/7 "
	  "2:xgmi_link_width@18/0 2:xgmi_link_speed@19/6 "
	  "4:gfx_activity_acc@20/10 4:mem_activity_acc@21/10 "
	  "8:pcie_bandwidth_acc@22/10 8:pcie_bandwidth_inst@23/8 "
	  "8:pcie_l0_to_recov_count_acc@24/0 "
	  "8:pcie_replay_count_acc@25/0 "
	  "8:pcie_replay_rover_count_acc@26/0 "
	  "4:pcie_nak_sent_count_acc@27/0 "
	  "4:pcie_nak_rcvd_count_acc@28/0 8:xgmi_read_data_acc*8@29/9 "
	  "8:xgmi_write_data_acc*8@30/9 2:xgmi_link_status*8@31/0 "
	  "8:firmware_timestamp@32/5 2:current_gfxclk*8@33/1 "
	  "2:current_socclk*4@34/1 2:current_vclk0*4@35/1 "
	  "2:current_dclk0*4@36/1 2:current_uclk@37/1 "
	  "4:pcie_lc_perf_other_end_recovery@39/0 "
	  "4:gfx_busy_inst*8@40/10 2:jpeg_busy*40@41/10 "
	  "2:vcn_busy*4@42/10 8:gfx_busy_acc*8@43/10 "
	  "8:gfx_below_host_limit_ppt_acc*8@44/0 "
	  "8:gfx_below_host_limit_thm_acc*8@45/0 "
	  "8:gfx_low_utilization_acc*8@46/0 "
	  "8:gfx_below_host_limit_total_acc*8@47/0" },
	{ "1.9-smu15", 1, 9,
	  "2:temperature_hbm*12@48/2 2:temperature_mid*2@49/2 "
	  "2:temperature_aid*2@50/2 2:temperature_xcd*8@51/2 "
	  "2:temperature_hotspot@0/2 2:temperature_mem@1/2 "
	  "2:temperature_vrsoc@2/2 2:curr_socket_power@3/3 "
	  "2:average_gfx_activity@4/10 2:average_umc_activity@5/10 "
	  "8:mem_max_bandwidth@6/8 8:energy_accumulator@7/0 "
	  "8:system_clock_counter@8/4 8:accumulation_counter@9/0 "
	  "8:prochot_residency_acc@10/0 8:ppt_residency_acc@11/0 "
	  "8:socket_thm_residency_acc@12/0 8:vr_thm_residency_acc@13/0 "
	  "8:hbm_thm_residency_acc@14/0 4:gfxclk_lock_status@15/0 "
	  "2:pcie_link_width@16/0 2:pcie_link_speed@17/7 "
	  "2:xgmi_link_width@18/0 2:xgmi_link_speed@19/6 "
	  "8:gfx_activity_acc@20/0 8:mem_activity_acc@21/0 "
	  "8:pcie_bandwidth_acc*2@22/0 4:pcie_bandwidth_inst*2@23/8 "
	  "8:pcie_l0_to_recov_count_acc@24/0 "
	  "8:pcie_replay_count_acc@25/0 "
	  "8:pcie_replay_rover_count_acc@26/0 "
	  "8:pcie_nak_sent_count_acc@27/0 "
	  "8:pcie_nak_rcvd_count_acc@28/0 8:xgmi_read_data_acc@29/9 "
	  "8:xgmi_write_data_acc@30/9 2:xgmi_link_status*8@31/0 "
	  "8:firmware_timestamp@32/5 2:current_gfxclk*8@33/1 "
	  "2:current_socclk*2@34/1 2:current_vclk0*4@35/1 "
	  "2:current_dclk0*4@36/1 2:current_uclk*2@37/1 "
	  "8:pcie_lc_perf_other_end_recovery@39/0 "
	  "4:gfx_busy_inst*8@40/10 2:jpeg_busy*40@41/10 "
	  "2:vcn_busy*4@42/10 8:gfx_busy_acc*8@43/10 "
	  "8:gfx_below_host_limit_ppt_acc*8@44/0 "
	  "8:gfx_below_host_limit_thm_acc*8@45/0 "
	  "8:gfx_low_utilization_acc*8@46/0 "
	  "8:gfx_below_host_limit_total_acc*8@47/0" },
};

/* ------------------------------------------------------------------ */
/* Settings                                                             */

/* Parse "xgmi_read_data_acc.3": up to two numbers behind the name. */
static int
parse_name(const char *word, struct gpu_metrics_value *value)
{
	size_t length = strcspn(word, ".");
	unsigned numbers[2] = { 0, 0 }, count = 0;
	const char *at = word + length;
	char *end;

	if (!length || length >= sizeof(value->name))
		return -EINVAL;
	for (; *at == '.' && count < 2; at = end) {
		numbers[count++] = (unsigned)strtoul(at + 1, &end, 10);
		if (end == at + 1)
			return -EINVAL;
	}
	if (*at)
		return -EINVAL;
	memcpy(value->name, word, length);
	value->name[length] = '\0';
	value->partition = count == 2 ? numbers[0] : 0;
	value->item = count == 2 ? numbers[1] : numbers[0];
	return 0;
}

/* Return whether a layout has a field of that name. */
static bool
is_field(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		const char *at = layouts[i].fields;

		while ((at = strstr(at, name))) {
			if (at[-1] == ':' && strchr(" *@", at[length]))
				return true;
			at += length;
		}
	}
	return false;
}

static int
set_value(struct gpu_metrics_settings *settings, const struct sim_words *words)
{
	struct gpu_metrics_value value = { .is_none = false };
	unsigned i = 0;

	if (parse_name(words->word[0], &value) || !is_field(value.name))
		return -EINVAL;
	value.is_none = !strcmp(words->word[1], "none");
	if (!value.is_none && sim_word_u64(words->word[1], &value.value))
		return -EINVAL;
	for (; i < settings->count; i++) {
		const struct gpu_metrics_value *old = &settings->values[i];

		if (!strcmp(old->name, value.name) && old->item == value.item &&
		    old->partition == value.partition)
			break;
	}
	if (i == ARRAY_SIZE(settings->values))
		return -EINVAL;
	settings->values[i] = value;
	if (i == settings->count)
		settings->count++;
	return 0;
}

int
gpu_metrics_set(struct gpu_metrics_settings *settings,
		const struct sim_words *words)
{
	if (words->count == 2)
		return set_value(settings, words);
	if (words->count != 1)
		return -EINVAL;
	if (!strcmp(words->word[0], "none")) {
		settings->version = 0;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		if (!strcmp(words->word[0], layouts[i].name)) {
			settings->version = (int)i + 1;
			return 0;
		}
	}
	return -EINVAL;
}

const struct gpu_metrics_layout *
gpu_metrics_layout(const struct gpu_metrics_settings *settings)
{
	return settings->version ? &layouts[settings->version - 1] : NULL;
}
