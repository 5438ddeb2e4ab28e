//! Models of the C library: which file models which function.
//!
//! Idea: a model is a C function of ours that does what the C standard says of the library function, or
//! something less definite where that says less or where exactness is out of reach. It is compiled by the
//! same clang for the same target as the program, and linked when the program leaves its name undefined.
//! The functions that cannot be written in C, or that engines know as one operation, are primitives: the
//! translation turns their calls into statements and expressions.
//!
//! Invariant: the table names exactly the functions that each file defines (a test compiles them all).
//!
//! What each model promises is described for users in `docs/library.md`.

use std::collections::BTreeSet;

/// A file with models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// Its name, for positions in traces.
    pub name: &'static str,
    /// C text that needs no header.
    pub text: &'static str,
}

struct Group {
    file: ModelFile,
    functions: &'static [&'static str],
    /// Appended to each name: `f` and `l` of the math functions.
    suffix: &'static str,
}

macro_rules! model_text {
    ($file:literal) => {
        concat!(
            "#line 1 \"kripke.h\"\n",
            include_str!("../library/kripke.h"),
            "#line 1 \"",
            $file,
            "\"\n",
            include_str!(concat!("../library/", $file))
        )
    };
}

/// The module of threads has parts, which share their helpers.
macro_rules! thread_text {
    ($($part:literal),*) => {
        concat!(
            "#line 1 \"kripke.h\"\n",
            include_str!("../library/kripke.h"),
            $("#line 1 \"", $part, "\"\n", include_str!(concat!("../library/", $part))),*
        )
    };
}

/// The models of threads without their header, which a harness replaces; with that of keys, if the program
/// has any.
pub fn threads_for_harness(with_keys: bool) -> String {
    if !with_keys {
        return THREAD_MODELS.to_owned();
    }
    // The one that does nothing gives way to that of the keys.
    let stands_in = "__attribute__((weak)) void __kripke_thread_destructors(void)\n{\n}\n";
    let models = THREAD_MODELS.replacen(stands_in, "void __kripke_thread_destructors(void);\n", 1);
    models + "\n" + include_str!("../library/thread_keys.c")
}

const THREAD_MODELS: &str = concat!(
    "\n",
    include_str!("../library/threads.c"),
    "\n",
    include_str!("../library/lock_orders.c"),
    "\n",
    include_str!("../library/thread_locks.c"),
    "\n",
    include_str!("../library/priorities.c"),
    "\n",
    include_str!("../library/thread_waits.c"),
    "\n",
    include_str!("../library/thread_c11.c")
);

macro_rules! math_text {
    ($real:literal, $suffix:literal, $nondet:literal, $limits:literal) => {
        concat!(
            "#line 1 \"kripke.h\"\n",
            include_str!("../library/kripke.h"),
            "#define REAL ",
            $real,
            "\n",
            "#define NAME(name) name",
            $suffix,
            "\n",
            "#define BUILTIN(name) __builtin_##name",
            $suffix,
            "\n",
            "#define MATH __kripke_math_",
            $nondet,
            "\n",
            "#define PRECISION __",
            $limits,
            "_MANT_DIG__\n",
            "#define MAX_EXPONENT __",
            $limits,
            "_MAX_EXP__\n",
            "#line 1 \"math.c\"\n",
            include_str!("../library/math.c")
        )
    };
}

macro_rules! group {
    ($file:literal, [$($function:literal),* $(,)?]) => {
        Group {
            file: ModelFile { name: $file, text: model_text!($file) },
            functions: &[$($function),*],
            suffix: "",
        }
    };
}

const GROUPS: &[Group] = &[
    group!(
        "string.c",
        [
            "bcmp",
            "bcopy",
            "bzero",
            "explicit_bzero",
            "ffs",
            "ffsl",
            "ffsll",
            "index",
            "memccpy",
            "memchr",
            "memcmp",
            "memmem",
            "memset_explicit",
            "mempcpy",
            "memrchr",
            "rawmemchr",
            "rindex",
            "stpcpy",
            "stpncpy",
            "strcasecmp",
            "strcasestr",
            "strcat",
            "strchr",
            "strchrnul",
            "strcmp",
            "strcoll",
            "strcpy",
            "strcspn",
            "strdup",
            "strlcat",
            "strlcpy",
            "strlen",
            "strlwr",
            "strncasecmp",
            "strncat",
            "strncmp",
            "strncpy",
            "strndup",
            "strnlen",
            "strnstr",
            "strpbrk",
            "strrchr",
            "strrev",
            "strsep",
            "strspn",
            "strstr",
            "strtok",
            "strtok_r",
            "strupr",
            "strxfrm",
            "swab",
        ]
    ),
    group!(
        "ctype.c",
        [
            "isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isdigit", "isgraph", "islower",
            "isprint", "ispunct", "isspace", "isupper", "isxdigit", "toascii", "tolower", "toupper",
        ]
    ),
    group!(
        "ctype_tables.c",
        ["__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc",]
    ),
    group!(
        "errno.c",
        ["__errno", "__errno_location", "__error", "_errno", "errno",]
    ),
    group!(
        "memory.c",
        [
            "aligned_alloc",
            "cfree",
            "memalign",
            "posix_memalign",
            "realloc",
            "reallocarray",
        ]
    ),
    group!(
        "stdlib.c",
        [
            "abs", "bsearch", "div", "drand48", "imaxabs", "imaxdiv", "labs", "ldiv", "lfind", "llabs",
            "lldiv", "lsearch", "qsort", "rand", "rand_r", "random", "srand", "srandom", "system",
        ]
    ),
    group!(
        "texts.c",
        [
            "getenv",
            "localeconv",
            "putenv",
            "setenv",
            "setlocale",
            "strerror",
            "strsignal",
            "unsetenv",
        ]
    ),
    group!("network.c", ["htonl", "htons", "ntohl", "ntohs",]),
    group!("nan.c", ["nan", "nanf", "nanl",]),
    group!(
        "wide.c",
        [
            "wcscat", "wcschr", "wcscmp", "wcscpy", "wcslen", "wcsncat", "wcsncmp", "wcsncpy", "wcsnlen",
            "wcsrchr", "wcsstr", "wmemchr", "wmemcmp", "wmemcpy", "wmemmove", "wmemset",
        ]
    ),
    group!("exit.c", ["at_quick_exit", "atexit",]),
    group!(
        "number_text.c",
        [
            "__isoc23_strtoimax",
            "__isoc23_strtol",
            "__isoc23_strtoll",
            "__isoc23_strtoul",
            "__isoc23_strtoull",
            "__isoc23_strtoumax",
            "atof",
            "atoi",
            "atol",
            "atoll",
            "itoa",
            "ltoa",
            "strtod",
            "strtof",
            "strtoimax",
            "strtol",
            "strtold",
            "strtoll",
            "strtoul",
            "strtoull",
            "strtoumax",
            "ultoa",
            "utoa",
        ]
    ),
    Group {
        file: ModelFile {
            name: "format.c",
            text: concat!(
                model_text!("format.c"),
                "#line 1 \"format_real.c\"\n",
                include_str!("../library/format_real.c")
            ),
        },
        functions: &[
            "__kripke_printed",
            "asprintf",
            "dprintf",
            "snprintf",
            "sprintf",
            "vasprintf",
            "vdprintf",
            "vfprintf",
            "vprintf",
            "vsnprintf",
            "vsprintf",
        ],
        suffix: "",
    },
    group!("output.c", ["__kripke_read_text", "__kripke_read_wide_text",]),
    group!(
        "scan.c",
        [
            "__isoc23_fscanf",
            "__isoc23_scanf",
            "__isoc23_sscanf",
            "__isoc23_vfscanf",
            "__isoc23_vscanf",
            "__isoc23_vsscanf",
            "__isoc99_fscanf",
            "__isoc99_scanf",
            "__isoc99_sscanf",
            "__isoc99_vfscanf",
            "__isoc99_vscanf",
            "__isoc99_vsscanf",
            "fscanf",
            "scanf",
            "sscanf",
            "vfscanf",
            "vscanf",
            "vsscanf",
        ]
    ),
    group!(
        "stdio.c",
        [
            "_IO_getc",
            "_IO_putc",
            "clearerr",
            "fclose",
            "fdopen",
            "feof",
            "ferror",
            "fflush",
            "fgetc",
            "fgets",
            "fileno",
            "fopen",
            "fputc",
            "fputs",
            "fread",
            "freopen",
            "fseek",
            "ftell",
            "fwrite",
            "getc",
            "getchar",
            "getchar_unlocked",
            "getdelim",
            "getline",
            "gets",
            "pclose",
            "perror",
            "popen",
            "putc",
            "remove",
            "rename",
            "rewind",
            "setbuf",
            "setvbuf",
            "stderr",
            "stdin",
            "stdout",
            "tmpfile",
            "ungetc",
        ]
    ),
    group!(
        "time.c",
        [
            "asctime",
            "asctime_r",
            "clock",
            "clock_gettime",
            "ctime",
            "ctime_r",
            "difftime",
            "gettimeofday",
            "gmtime",
            "gmtime_r",
            "localtime",
            "localtime_r",
            "mktime",
            "nanosleep",
            "sleep",
            "strftime",
            "time",
            "usleep",
        ]
    ),
    group!(
        "thread_keys.c",
        [
            "pthread_getspecific",
            "pthread_key_create",
            "pthread_key_delete",
            "pthread_setspecific",
            "tss_create",
            "tss_delete",
            "tss_get",
            "tss_set",
        ]
    ),
    Group {
        file: ModelFile {
            name: "threads.c",
            text: thread_text!(
                "threads.c",
                "lock_orders.c",
                "thread_locks.c",
                "priorities.c",
                "thread_waits.c",
                "thread_c11.c"
            ),
        },
        functions: THREADS,
        suffix: "",
    },
    Group {
        file: ModelFile {
            name: "freertos.c",
            text: thread_text!(
                "freertos.c",
                "lock_orders.c",
                "priorities.c",
                "freertos_queues.c",
                "freertos_events.c",
                "freertos_timers.c",
                "cmsis_rtos.c"
            ),
        },
        functions: FREERTOS,
        suffix: "",
    },
    Group {
        file: ModelFile {
            name: "math.c",
            text: math_text!("double", "", "double", "DBL"),
        },
        functions: MATH,
        suffix: "",
    },
    Group {
        file: ModelFile {
            name: "math.c (float)",
            text: math_text!("float", "##f", "float", "FLT"),
        },
        functions: MATH,
        suffix: "f",
    },
    Group {
        file: ModelFile {
            name: "math.c (long double)",
            text: math_text!("long double", "##l", "ldouble", "LDBL"),
        },
        functions: MATH,
        suffix: "l",
    },
];

const THREADS: &[&str] = &[
    "call_once",
    "cnd_broadcast",
    "cnd_destroy",
    "cnd_init",
    "cnd_signal",
    "cnd_timedwait",
    "cnd_wait",
    "mtx_destroy",
    "mtx_init",
    "mtx_lock",
    "mtx_timedlock",
    "mtx_trylock",
    "mtx_unlock",
    "pthread_attr_destroy",
    "pthread_attr_getdetachstate",
    "pthread_attr_getguardsize",
    "pthread_attr_getinheritsched",
    "pthread_attr_getschedparam",
    "pthread_attr_getschedpolicy",
    "pthread_attr_getscope",
    "pthread_attr_getstacksize",
    "pthread_attr_init",
    "pthread_attr_setdetachstate",
    "pthread_attr_setguardsize",
    "pthread_attr_setinheritsched",
    "pthread_attr_setschedparam",
    "pthread_attr_setschedpolicy",
    "pthread_attr_setscope",
    "pthread_attr_setstack",
    "pthread_attr_setstacksize",
    "pthread_barrier_destroy",
    "pthread_barrier_init",
    "pthread_barrier_wait",
    "pthread_barrierattr_destroy",
    "pthread_barrierattr_getpshared",
    "pthread_barrierattr_init",
    "pthread_barrierattr_setpshared",
    "pthread_cancel",
    "pthread_cond_broadcast",
    "pthread_cond_clockwait",
    "pthread_cond_destroy",
    "pthread_cond_init",
    "pthread_cond_signal",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_condattr_destroy",
    "pthread_condattr_getclock",
    "pthread_condattr_getpshared",
    "pthread_condattr_init",
    "pthread_condattr_setclock",
    "pthread_condattr_setpshared",
    "pthread_create",
    "pthread_detach",
    "pthread_equal",
    "pthread_exit",
    "pthread_join",
    "pthread_mutex_clocklock",
    "pthread_mutex_consistent",
    "pthread_mutex_destroy",
    "pthread_mutex_init",
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_mutexattr_destroy",
    "pthread_mutexattr_getprotocol",
    "pthread_mutexattr_getpshared",
    "pthread_mutexattr_getrobust",
    "pthread_mutexattr_gettype",
    "pthread_mutexattr_init",
    "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_setpshared",
    "pthread_mutexattr_setrobust",
    "pthread_mutexattr_settype",
    "pthread_once",
    "pthread_rwlock_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlockattr_destroy",
    "pthread_rwlockattr_getkind_np",
    "pthread_rwlockattr_getpshared",
    "pthread_rwlockattr_init",
    "pthread_rwlockattr_setkind_np",
    "pthread_rwlockattr_setpshared",
    "pthread_self",
    "pthread_setcancelstate",
    "pthread_setcanceltype",
    "pthread_setschedparam",
    "pthread_setschedprio",
    "pthread_spin_destroy",
    "pthread_spin_init",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "pthread_testcancel",
    "pthread_timedjoin_np",
    "pthread_tryjoin_np",
    "pthread_yield",
    "sched_yield",
    "sem_clockwait",
    "sem_destroy",
    "sem_getvalue",
    "sem_init",
    "sem_open",
    "sem_post",
    "sem_timedwait",
    "sem_trywait",
    "sem_wait",
    "thrd_create",
    "thrd_current",
    "thrd_detach",
    "thrd_equal",
    "thrd_exit",
    "thrd_join",
    "thrd_sleep",
    "thrd_yield",
];

/// Of FreeRTOS, and of CMSIS-RTOS2 over it.
const FREERTOS: &[&str] = &[
    "__kripke_forget_events",
    "__kripke_port_is_inside_interrupt",
    "__kripke_port_restore",
    "__kripke_port_set_mask",
    "eTaskGetState",
    "osDelay",
    "osKernelGetTickCount",
    "osKernelInitialize",
    "osKernelLock",
    "osKernelStart",
    "osKernelUnlock",
    "osMessageQueueGet",
    "osMessageQueueGetCount",
    "osMessageQueueGetSpace",
    "osMessageQueueNew",
    "osMessageQueuePut",
    "osMutexAcquire",
    "osMutexNew",
    "osMutexRelease",
    "osSemaphoreAcquire",
    "osSemaphoreGetCount",
    "osSemaphoreNew",
    "osSemaphoreRelease",
    "osThreadExit",
    "osThreadGetId",
    "osThreadNew",
    "osThreadTerminate",
    "osThreadYield",
    "pcTaskGetName",
    "pcTaskGetTaskName",
    "pcTimerGetName",
    "pvPortMalloc",
    "pvTimerGetTimerID",
    "ulTaskGenericNotifyTake",
    "ulTaskGenericNotifyValueClear",
    "ulTaskNotifyTake",
    "ulTaskNotifyValueClear",
    "uxQueueMessagesWaiting",
    "uxQueueMessagesWaitingFromISR",
    "uxQueueSpacesAvailable",
    "uxTaskGetNumberOfTasks",
    "uxTaskGetStackHighWaterMark",
    "uxTaskPriorityGet",
    "vEventGroupDelete",
    "vPortClearInterruptMask",
    "vPortDisableInterrupts",
    "vPortEnableInterrupts",
    "vPortEnterCritical",
    "vPortExitCritical",
    "vPortFree",
    "vPortYield",
    "vPortYieldFromISR",
    "vQueueAddToRegistry",
    "vQueueDelete",
    "vQueueUnregisterQueue",
    "vTaskDelay",
    "vTaskDelayUntil",
    "vTaskDelete",
    "vTaskEndScheduler",
    "vTaskEnterCritical",
    "vTaskExitCritical",
    "vTaskGenericNotifyGiveFromISR",
    "vTaskNotifyGiveFromISR",
    "vTaskPrioritySet",
    "vTaskResume",
    "vTaskStartScheduler",
    "vTaskSuspend",
    "vTaskSuspendAll",
    "vTimerSetTimerID",
    "xEventGroupClearBits",
    "xEventGroupCreate",
    "xEventGroupCreateStatic",
    "xEventGroupGetBitsFromISR",
    "xEventGroupSetBits",
    "xEventGroupSync",
    "xEventGroupWaitBits",
    "xPortGetFreeHeapSize",
    "xPortGetMinimumEverFreeHeapSize",
    "xPortSetInterruptMask",
    "xQueueAltGenericReceive",
    "xQueueCreateCountingSemaphore",
    "xQueueCreateCountingSemaphoreStatic",
    "xQueueCreateMutex",
    "xQueueCreateMutexStatic",
    "xQueueGenericCreate",
    "xQueueGenericCreateStatic",
    "xQueueGenericReceive",
    "xQueueGenericReset",
    "xQueueGenericSend",
    "xQueueGenericSendFromISR",
    "xQueueGetMutexHolder",
    "xQueueGetMutexHolderFromISR",
    "xQueueGiveFromISR",
    "xQueueGiveMutexRecursive",
    "xQueueIsQueueEmptyFromISR",
    "xQueueIsQueueFullFromISR",
    "xQueuePeek",
    "xQueuePeekFromISR",
    "xQueueReceive",
    "xQueueReceiveFromISR",
    "xQueueSemaphoreTake",
    "xQueueTakeMutexRecursive",
    "xTaskCreate",
    "xTaskCreateStatic",
    "xTaskDelayUntil",
    "xTaskGenericCreate",
    "xTaskGenericNotify",
    "xTaskGenericNotifyFromISR",
    "xTaskGenericNotifyStateClear",
    "xTaskGenericNotifyWait",
    "xTaskGetCurrentTaskHandle",
    "xTaskGetSchedulerState",
    "xTaskGetTickCount",
    "xTaskGetTickCountFromISR",
    "xTaskNotifyStateClear",
    "xTaskNotifyWait",
    "xTaskResumeAll",
    "xTaskResumeFromISR",
    "xTimerCreate",
    "xTimerCreateStatic",
    "xTimerGenericCommand",
    "xTimerGenericCommandFromISR",
    "xTimerGenericCommandFromTask",
    "xTimerGetPeriod",
    "xTimerIsTimerActive",
];

const MATH: &[&str] = &[
    "__finite",
    "__fpclassify",
    "__isinf",
    "__isnan",
    "__signbit",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "drem",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fdim",
    "finite",
    "frexp",
    "hypot",
    "ilogb",
    "isinf",
    "isnan",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "modf",
    "nextafter",
    "nexttoward",
    "pow",
    "remquo",
    "scalbln",
    "scalbn",
    "significand",
    "sin",
    "sincos",
    "sinh",
    "tan",
    "tanh",
    "tgamma",
];

/// The math functions that are operations of the program model, for `double`; those for `float` and
/// `long double` end in `f` and `l`.
pub const MATH_PRIMITIVES: &[&str] = &[
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "round",
    "roundeven",
    "rint",
    "nearbyint",
    "sqrt",
    "fma",
    "copysign",
    "fmin",
    "fmax",
    "fmod",
    "remainder",
];

/// The other functions that the translation handles itself; no model defines them. Functions that report a
/// failed assertion, the `__VERIFIER_`, `__ESBMC_` and `__CPROVER_` families and the `__kripke_` ones that
/// models use are recognised by the translation too.
pub const PRIMITIVES: &[&str] = &[
    "malloc",
    "calloc",
    "free",
    "alloca",
    "memcpy",
    "memmove",
    "memset",
    "printf",
    "fprintf",
    "puts",
    "putchar",
    "exit",
    "_Exit",
    "_exit",
    "quick_exit",
    "abort",
    "fesetround",
    "fegetround",
];

impl Group {
    fn defines(&self, name: &str) -> bool {
        name.strip_suffix(self.suffix)
            .is_some_and(|stem| self.functions.contains(&stem))
    }
}

/// The files that model any of the undefined symbols, each once. A file may leave symbols of another one
/// undefined: ask again after linking.
pub fn models_for<S: AsRef<str>>(undefined: impl IntoIterator<Item = S>) -> Vec<ModelFile> {
    let mut needed = BTreeSet::new();
    for name in undefined {
        needed.extend(GROUPS.iter().position(|group| group.defines(name.as_ref())));
    }
    needed.into_iter().map(|index| GROUPS[index].file).collect()
}

/// The names that a model's own text calls, or defines: what it needs of other models is among them.
pub fn names_in(model: &ModelFile) -> BTreeSet<&'static str> {
    let header = include_str!("../library/kripke.h");
    let own = model.text.split_once(header).map_or(model.text, |(_, own)| own);
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let before_parentheses = own.split('(').filter_map(|piece| {
        let letters = piece.bytes().rev().take_while(|byte| is_of_name(*byte)).count();
        piece.get(piece.len() - letters..)
    });
    before_parentheses.collect()
}

/// The name in the standards of a function that glibc's headers call by another, as C99 or C23 has it.
pub fn standard_name(name: &str) -> &str {
    let editions = ["__isoc99_", "__isoc23_"];
    let plain = editions.iter().find_map(|edition| name.strip_prefix(edition));
    plain.unwrap_or(name)
}

/// Every file.
pub fn all_models() -> Vec<ModelFile> {
    GROUPS.iter().map(|group| group.file).collect()
}

/// Every function and object that has a model, with the file that holds it.
pub fn modelled() -> Vec<(String, &'static str)> {
    let names = |group: &'static Group| {
        let name = |stem: &&str| (format!("{stem}{}", group.suffix), group.file.name);
        group.functions.iter().map(name).collect::<Vec<_>>()
    };
    GROUPS.iter().flat_map(names).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(undefined: &[&str], expected: &[&str]) {
        let names: Vec<&str> = models_for(undefined).iter().map(|model| model.name).collect();
        assert_eq!(names, expected, "{undefined:?}");
    }

    #[test]
    fn files_are_found_by_function() {
        check(&["strlen", "strcmp"], &["string.c"]);
        check(&["sinf"], &["math.c (float)"]);
        check(
            &["sin", "sinl", "atoi"],
            &["number_text.c", "math.c", "math.c (long double)"],
        );
        check(&["my_function", "malloc", "fmod", ""], &[]);
    }

    /// Programs with models of threads are translated in another way, so none may come with them in vain.
    #[test]
    fn only_threads_call_models_of_threads() {
        let threads = ["threads.c", "freertos.c", "cmsis_rtos.c"];
        for model in all_models() {
            let needed = models_for(names_in(&model));
            let foreseen = needed.iter().any(|needed| threads.contains(&needed.name));
            assert_eq!(foreseen, threads.contains(&model.name), "{}", model.name);
        }
    }

    #[test]
    fn nothing_is_modelled_twice_or_both_ways() {
        let mut seen = BTreeSet::new();
        for (name, file) in modelled() {
            assert!(
                !PRIMITIVES.contains(&name.as_str()) && !MATH_PRIMITIVES.contains(&name.as_str()),
                "{name}"
            );
            assert!(seen.insert(name.clone()), "{name} of {file} occurs twice");
        }
    }
}
