//! The system calls that a confined process may make: those that computing, memory, threads, files at hand and answers on an
//! open socket need. No other is carried out; it fails as if it were not permitted.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;

/// Allowed whatever their arguments are.
const ALWAYS: &[libc::c_long] = &[
    // files that landlock lets it reach, and what is open
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_openat,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_fcntl,
    libc::SYS_flock,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fadvise64,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_getdents64,
    libc::SYS_unlinkat,
    libc::SYS_mkdirat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getcwd,
    libc::SYS_umask,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
    // memory
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_mincore,
    libc::SYS_msync,
    libc::SYS_membarrier,
    // threads of its own
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_rseq,
    libc::SYS_set_tid_address,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getcpu,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_clone3,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // time, chance, figures of its own
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_times,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    // waiting, and talking on sockets that it was given
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_accept4,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_shutdown,
];

/// The older ways to say the same, which only this architecture has.
#[cfg(target_arch = "x86_64")]
const OLDER: &[libc::c_long] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_unlink,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_rename,
    libc::SYS_dup2,
    libc::SYS_poll,
    libc::SYS_epoll_wait,
    libc::SYS_accept,
    libc::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[libc::c_long] = &[];

/// The system calls that a program with processes of its own needs besides: to be loaded, to fork and wait, to confine its forks
/// further.
const PROGRAM: &[libc::c_long] = &[
    libc::SYS_execve,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_kill,
    libc::SYS_tgkill,
    libc::SYS_prlimit64,
    libc::SYS_prctl,
    libc::SYS_seccomp,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    libc::SYS_close_range,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getgroups,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_chdir,
];

/// Older system calls for the purposes of [`PROGRAM`].
#[cfg(target_arch = "x86_64")]
const PROGRAM_OLDER: &[libc::c_long] = &[
    libc::SYS_arch_prctl,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
    libc::SYS_getpgrp,
    libc::SYS_pipe,
    libc::SYS_select,
    libc::SYS_getdents,
];
#[cfg(not(target_arch = "x86_64"))]
const PROGRAM_OLDER: &[libc::c_long] = &[];

/// The older ways to make a process.
#[cfg(target_arch = "x86_64")]
const FORKS: &[libc::c_long] = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const FORKS: &[libc::c_long] = &[];

/// Namespaces in which a process would have rights of its own.
const NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// Linux's `PR_SET_VMA`, by which allocators name their memory.
const PR_SET_VMA: u64 = 0x5356_4d41;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Allows nothing but the calls above, on all threads, now and later; those of a program only where this is to become one, and
/// processes of its own only where that is not to be `alone`.
pub(super) fn restrict(is_program: bool, alone: bool) -> Result<(), seccompiler::Error> {
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    // `clone3` hides its flags in memory, where no filter looks: the C library falls back to `clone` if there is none
    let absent = SeccompAction::Errno(libc::ENOSYS as u32);
    let hidden = Rules::from([(libc::SYS_clone3, Vec::new())]);
    for program in [
        filter(hidden, SeccompAction::Allow, absent)?,
        filter(allowed(is_program, alone)?, refused, SeccompAction::Allow)?,
    ] {
        seccompiler::apply_filter_all_threads(&program)?;
    }
    Ok(())
}

fn filter(
    rules: Rules,
    otherwise: SeccompAction,
    matching: SeccompAction,
) -> Result<BpfProgram, seccompiler::BackendError> {
    SeccompFilter::new(rules, otherwise, matching, std::env::consts::ARCH.try_into()?)?.try_into()
}

fn allowed(is_program: bool, alone: bool) -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules = ALWAYS.iter().chain(OLDER).map(|call| (*call, Vec::new())).collect();
    let when = |argument: u8, is: Is, value: u64| SeccompCondition::new(argument, Length::Qword, is, value);
    let own = u64::from(std::process::id());
    let executable = libc::PROT_EXEC as u64;
    let thread = libc::CLONE_THREAD as u64;
    let mut only = |call: libc::c_long, conditions: Vec<SeccompCondition>| {
        SeccompRule::new(conditions).map(|rule| rules.entry(call).or_default().push(rule))
    };
    if is_program && alone {
        // threads, but no processes
        only(libc::SYS_clone, vec![when(0, Is::MaskedEq(thread), thread)?])?;
    } else if is_program {
        // processes, but no namespaces
        only(libc::SYS_clone, vec![when(0, Is::MaskedEq(NAMESPACES), 0)?])?;
    } else {
        // no memory is both written and run
        only(libc::SYS_mmap, vec![when(2, Is::MaskedEq(executable), 0)?])?;
        only(libc::SYS_mprotect, vec![when(2, Is::MaskedEq(executable), 0)?])?;
        // threads, but no processes
        only(libc::SYS_clone, vec![when(0, Is::MaskedEq(thread), thread)?])?;
        // it may end itself
        only(libc::SYS_tgkill, vec![when(0, Is::Eq, own)?])?;
        // it may ask for its limits, not change them
        only(libc::SYS_prlimit64, vec![when(2, Is::Eq, 0)?])?;
        let options =
            [libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_GET_NO_NEW_PRIVS].map(|option| option as u64);
        for option in options.into_iter().chain([PR_SET_VMA]) {
            only(libc::SYS_prctl, vec![when(0, Is::Eq, option)?])?;
        }
    }
    // pairs between its own threads
    only(libc::SYS_socketpair, vec![when(0, Is::Eq, libc::AF_UNIX as u64)?])?;
    #[allow(clippy::unnecessary_cast, reason = "other C libraries have it as another type")]
    for request in [libc::FIONBIO, libc::FIONREAD, libc::FIOCLEX, libc::TCGETS] {
        only(libc::SYS_ioctl, vec![when(1, Is::Eq, request as u64)?])?;
    }
    if is_program {
        let forks = if alone { &[] } else { FORKS };
        rules.extend(PROGRAM.iter().chain(PROGRAM_OLDER).chain(forks).map(|call| (*call, Vec::new())));
    }
    Ok(rules)
}
