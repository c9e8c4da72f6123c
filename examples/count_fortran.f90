! SPDX-License-Identifier: BSD-3-Clause
! Count an event of the GPU while a command runs, from Fortran.
!
! usage: count_fortran EVENT COMMAND
!
! gfortran -I/path/to/papi/include count_fortran.f90 -L/path/to/papi/lib -lpapi
program count_fortran
  use, intrinsic :: iso_fortran_env, only: error_unit, int64
  implicit none
  include 'f90papi.h'
  character(len=256) :: event, command
  integer :: set, check
  integer(int64) :: values(1)

  if (command_argument_count() /= 2) then
    write (error_unit, '(a)') 'usage: count_fortran EVENT COMMAND'
    stop 2
  end if
  call get_command_argument(1, event)
  call get_command_argument(2, command)

  check = PAPI_VER_CURRENT
  call PAPIF_library_init(check)
  if (check /= PAPI_VER_CURRENT) call fail('PAPI_library_init', check)
  set = PAPI_NULL
  call PAPIF_create_eventset(set, check)
  call expect('PAPI_create_eventset', check)
  call PAPIF_add_named_event(set, trim(event), check)
  call expect('PAPI_add_named_event', check)

  call PAPIF_start(set, check)
  call expect('PAPI_start', check)
  call execute_command_line(trim(command))
  call PAPIF_stop(set, values, check)
  call expect('PAPI_stop', check)
  print '(a, 1x, i0)', trim(event), values(1)
  call PAPIF_shutdown()

contains

  subroutine expect(what, code)
    character(len=*), intent(in) :: what
    integer, intent(in) :: code

    if (code /= PAPI_OK) call fail(what, code)
  end subroutine

  subroutine fail(what, code)
    character(len=*), intent(in) :: what
    integer, intent(in) :: code

    write (error_unit, '(a, a, i0)') what, ': PAPI says ', code
    stop 1
  end subroutine
end program
