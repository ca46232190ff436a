/* The one function of this library of Windows that programs of Rust ask for; the Wine of Debian has no such library. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T count) {
    return SystemFunction036(to, (ULONG)count);
}
