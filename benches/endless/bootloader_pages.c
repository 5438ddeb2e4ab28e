// verdict: holds
// A bootloader collects bytes into pages of flash: only erased pages of the application are programmed.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define PAGE 32u
#define FLASH 2048u
#define BOOT 1536u /* The bootloader's own pages begin here. */

uint8_t __VERIFIER_nondet_uchar(void);
uint16_t __VERIFIER_nondet_ushort(void);

enum command { SET_ADDRESS, DATA, COMMIT, RESET };

static uint8_t flash[FLASH];
static uint8_t page[PAGE];
static uint16_t address;
static uint8_t fill;
static bool erased[BOOT / PAGE];

static void erase(uint16_t number) {
    erased[number] = true;
}

static void program_page(void) {
    assert(address % PAGE == 0);
    assert(address + PAGE <= BOOT);
    if (!erased[address / PAGE])
        erase(address / PAGE);
    for (uint8_t i = 0; i < PAGE; i++)
        flash[address + i] = i < fill ? page[i] : 0xff;
    erased[address / PAGE] = false;
    address += PAGE;
    fill = 0;
}

static bool set_address(uint16_t wanted) {
    if (wanted >= BOOT || wanted % PAGE != 0)
        return false;
    address = wanted;
    fill = 0;
    return true;
}

static void data(uint8_t byte) {
    if (address >= BOOT)
        return;
    page[fill++] = byte;
    if (fill == PAGE)
        program_page();
}

int main(void) {
    for (;;) {
        uint8_t command = __VERIFIER_nondet_uchar();
        if (command == SET_ADDRESS)
            set_address(__VERIFIER_nondet_ushort());
        else if (command == DATA)
            data(__VERIFIER_nondet_uchar());
        else if (command == COMMIT && fill > 0)
            program_page();
        else if (command == RESET)
            address = fill = 0;
        assert(fill < PAGE);
        assert(address <= BOOT);
        assert(fill == 0 || address < BOOT);
    }
}
