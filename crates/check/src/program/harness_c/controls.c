
WEAK void __enable_irq(void) { kripke_mask(0); }
WEAK void __disable_irq(void) { kripke_mask(1); }
WEAK unsigned __get_PRIMASK(void) { return kripke_masked; }
WEAK void __set_PRIMASK(unsigned mask) { kripke_mask(mask & 1); }
/* Which handlers are enabled is not followed: they come when their turns begin. */
WEAK void NVIC_EnableIRQ(int number) { (void)number; }
WEAK void NVIC_DisableIRQ(int number) { (void)number; }
/* Nor is whom the mask by priorities keeps from coming. */
static unsigned kripke_base;
WEAK unsigned __get_BASEPRI(void) { return kripke_base; }
WEAK void __set_BASEPRI(unsigned base) { kripke_base = base & KRIPKE_PRIORITY_BITS; kripke_point(); }
WEAK void __set_BASEPRI_MAX(unsigned base) {
    base &= KRIPKE_PRIORITY_BITS;
    if (base && (!kripke_base || base < kripke_base))
        kripke_base = base;
    kripke_point();
}
WEAK void NVIC_SetPriority(int number, unsigned priority) { (void)number; (void)priority; }
