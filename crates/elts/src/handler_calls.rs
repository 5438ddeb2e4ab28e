//! Functions that handlers of interrupts must not call.
//!
//! Idea: one table, by name. What is not safe where something was interrupted changes state that the
//! interrupted code may be about to change, or waits for what only that code would do.
//!
//! Source: POSIX.1-2017, section 2.4.3 (async-signal-safe functions): what stands here of the C library and
//! of POSIX is not in its list, or is there but waits; the reference manual of FreeRTOS: functions whose
//! names do not end in `FromISR`, which it asks not to call from handlers.

use self::Reason::{Heap, Kernel, State, Streams, Waits};

/// Why a function is not safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It uses the heap.
    Heap,
    /// It uses the streams of the C library, or what formats for them.
    Streams,
    /// It may wait.
    Waits,
    /// It has state of its own, which others use.
    State,
    /// It is a function of the kernel for tasks.
    Kernel,
}

impl Reason {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Heap => "it uses the heap",
            Streams => "it uses streams, or formats for them",
            Waits => "it may wait",
            State => "it has state of its own, which may just change",
            Kernel => "only tasks may call it",
        }
    }
}

const TABLE: &[(Reason, &str)] = &[
    (
        Heap,
        "malloc calloc realloc reallocarray free aligned_alloc posix_memalign memalign valloc pvalloc strdup \
         strndup wcsdup getline getdelim asprintf vasprintf open_memstream fmemopen pvPortMalloc \
         pvPortCalloc vPortFree",
    ),
    (
        Streams,
        "printf fprintf vprintf vfprintf sprintf snprintf vsprintf vsnprintf dprintf vdprintf scanf fscanf \
         sscanf vscanf vfscanf vsscanf puts fputs putchar putc fputc putw getchar getc fgetc getw fgets gets \
         ungetc fread fwrite fopen freopen fdopen fclose fflush fseek fseeko ftell ftello rewind fgetpos \
         fsetpos setbuf setvbuf clearerr feof ferror perror popen pclose tmpfile tmpnam syslog \
         putchar_unlocked getchar_unlocked fopen64 freopen64 tmpfile64 fseeko64 ftello64 fgetpos64 fsetpos64",
    ),
    (
        Waits,
        "pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_trylock pthread_mutex_unlock \
         pthread_cond_wait pthread_cond_timedwait pthread_cond_signal pthread_cond_broadcast \
         pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock \
         pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_rwlock_unlock pthread_spin_lock \
         pthread_barrier_wait pthread_join pthread_create pthread_once sem_wait sem_timedwait mtx_lock \
         mtx_timedlock mtx_trylock mtx_unlock cnd_wait cnd_timedwait cnd_signal cnd_broadcast thrd_join \
         thrd_create thrd_sleep call_once sleep usleep nanosleep clock_nanosleep select poll pause wait \
         waitpid sigsuspend mq_receive mq_send",
    ),
    (
        State,
        "exit atexit quick_exit system getenv setenv unsetenv putenv localtime gmtime asctime ctime mktime \
         strftime tzset strtok strerror setlocale rand srand random srandom drand48 lrand48 mrand48 srand48 \
         mbrtowc wcrtomb mbtowc wctomb mblen",
    ),
    (
        Kernel,
        "xTaskCreate xTaskCreateStatic vTaskDelete vTaskDelay vTaskDelayUntil xTaskDelayUntil vTaskSuspend \
         vTaskResume vTaskSuspendAll xTaskResumeAll vTaskPrioritySet uxTaskPriorityGet vTaskStartScheduler \
         vTaskEndScheduler xTaskAbortDelay xTaskGenericNotify xTaskGenericNotifyWait xTaskNotifyWait \
         ulTaskGenericNotifyTake ulTaskNotifyTake xTaskGenericNotifyStateClear xTaskGetTickCount \
         xTaskCatchUpTicks vTaskGetInfo uxTaskGetSystemState xQueueGenericCreate xQueueGenericCreateStatic \
         vQueueDelete xQueueGenericReset xQueueGenericSend xQueueReceive xQueuePeek xQueueSemaphoreTake \
         xQueueTakeMutexRecursive xQueueGiveMutexRecursive xQueueCreateMutex xQueueCreateMutexStatic \
         xQueueCreateCountingSemaphore xQueueCreateCountingSemaphoreStatic xQueueGetMutexHolder \
         uxQueueMessagesWaiting uxQueueSpacesAvailable xQueueSelectFromSet xQueueAddToSet \
         xQueueRemoveFromSet xQueueCreateSet xEventGroupCreate xEventGroupCreateStatic xEventGroupWaitBits \
         xEventGroupSetBits xEventGroupClearBits xEventGroupSync vEventGroupDelete xTimerCreate \
         xTimerCreateStatic xTimerGenericCommandFromTask xStreamBufferGenericCreate \
         xStreamBufferGenericCreateStatic xStreamBufferSend xStreamBufferReceive xStreamBufferReset \
         vStreamBufferDelete vPortEnterCritical vPortExitCritical",
    ),
];

/// How the names of the functions begin that are called where such a call is made; the name follows.
pub const NOT_IN_HANDLERS: &str = "kripke not in handlers: ";

/// The name that a program writes, of which a header of glibc makes another one.
pub fn written(name: &str) -> &str {
    let renamed = ["__isoc99_", "__isoc23_", "_IO_"];
    let renamed = renamed.iter().find_map(|begins| name.strip_prefix(begins));
    let checked = || name.strip_prefix("__")?.strip_suffix("_chk");
    renamed.or_else(checked).unwrap_or(name)
}

/// Why handlers must not call a function of that name.
pub fn unsafe_in_handlers(name: &str) -> Option<Reason> {
    let name = written(name);
    let has = |names: &str| names.split_whitespace().any(|known| known == name);
    TABLE
        .iter()
        .find(|(_, names)| has(names))
        .map(|(reason, _)| *reason)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_whole_and_stand_once() {
        assert_eq!(unsafe_in_handlers("free"), Some(Heap));
        assert_eq!(unsafe_in_handlers("vTaskDelay"), Some(Kernel));
        for renamed in ["__isoc99_sscanf", "__isoc23_fscanf", "_IO_getc", "__printf_chk"] {
            assert_eq!(unsafe_in_handlers(renamed), Some(Streams), "{renamed}");
        }
        for safe in [
            "xQueueGenericSendFromISR",
            "sem_post",
            "write",
            "re",
            "memcpy",
            "__memcpy_chk",
            "",
        ] {
            assert_eq!(unsafe_in_handlers(safe), None, "{safe}");
        }
        let mut seen = BTreeSet::new();
        for name in TABLE.iter().flat_map(|(_, names)| names.split_whitespace()) {
            assert!(seen.insert(name), "{name} stands twice");
        }
    }
}
