! SPDX-License-Identifier: BSD-3-Clause
! As kfd_openmp.c: 391 teams of 4 threads, each of which is a wave by gfortran.
program kfd_openmp
  implicit none
  integer :: numbers(100000), launches, i
  character(len=16) :: argument

  call get_command_argument(1, argument)
  read (argument, *) launches
  numbers = [(i, i = 1, size(numbers))]
  do while (launches > 0)
    !$omp target teams distribute parallel do num_teams(391) &
    !$omp thread_limit(4) map(tofrom: numbers)
    do i = 1, size(numbers)
      numbers(i) = numbers(i) + 0
    end do
    launches = launches - 1
  end do
  if (all(numbers == [(i, i = 1, size(numbers))])) then
    print '(a)', 'device 0: right'
  else
    print '(a)', 'device 0: wrong'
  end if
end program
