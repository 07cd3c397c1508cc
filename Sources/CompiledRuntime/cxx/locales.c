// Locales of C++ (libstdc++), which streams and regular expressions use. The content of a locale does not change, but
// which locale a variable has may change. The library's code is not instrumented, so its accesses are noted here.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "cxx/layout.h"
#include <dlfcn.h>

// The copy constructor and the assignment of std::locale.
EXPORTED void _ZNSt6localeC1ERKS_(void *locale, const void *other) {
    lab_note_access(other, POINTER, 0, SITE);
    lab_note_access(locale, POINTER, 1, SITE);
    REAL(_ZNSt6localeC1ERKS_, void, void *, const void *)(locale, other);
}

EXPORTED void *_ZNSt6localeaSERKS_(void *locale, const void *other) {
    lab_note_access(other, POINTER, 0, SITE);
    lab_note_access(locale, POINTER, 1, SITE);
    return REAL(_ZNSt6localeaSERKS_, void *, void *, const void *)(locale, other);
}

// std::use_facet of a locale.
#define FACET(name) \
    EXPORTED const void *name(const void *locale) { \
        lab_note_access(locale, POINTER, 0, SITE); \
        return REAL(name, const void *, const void *)(locale); \
    }
FACET(_ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale)
FACET(_ZSt9use_facetINSt7__cxx117collateIcEEERKT_RKSt6locale)

// std::ctype caches conversions of characters in the facet when they are first needed, by inline functions that are
// compiled with the program. Here the caches are filled before there are threads, which would otherwise seem to race.
static void begin_locales(void) {
    const void *(*classic)(void) = (const void *(*)(void))lab_find(RTLD_DEFAULT, "_ZNSt6locale7classicEv");
    void (*narrow)(const void *) = (void (*)(const void *))lab_find(RTLD_DEFAULT, "_ZNKSt5ctypeIcE14_M_narrow_initEv");
    void (*widen)(const void *) = (void (*)(const void *))lab_find(RTLD_DEFAULT, "_ZNKSt5ctypeIcE13_M_widen_initEv");
    if (!classic || !narrow || !widen) return;
    const void *facet = _ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale(classic());
    narrow(facet);
    widen(facet);
}
// After find_real_functions: it calls functions that the runtime replaces.
LAB_PHASE(lab_with_engine, LAB_FIRST + 1, begin_locales);

// Notes an access of a facet's function to a text. The library's virtual tables contain the functions below, too: calls
// by the library itself are not noted.
static void look_at_part(const char *from, const char *to, int writes, uint64_t site) {
    if (is_controlled() && lab_is_program_code(site) && from < to) lab_note_access(from, (uint64_t)(to - from), writes, site);
}

#define CHANGES(name) \
    EXPORTED const char *name(const void *facet, char *from, const char *to) { \
        look_at_part(from, to, 1, SITE); \
        return REAL(name, const char *, const void *, char *, const char *)(facet, from, to); \
    }
CHANGES(_ZNKSt5ctypeIcE10do_toupperEPcPKc)
CHANGES(_ZNKSt5ctypeIcE10do_tolowerEPcPKc)

EXPORTED const char *_ZNKSt5ctypeIcE8do_widenEPKcS2_Pc(const void *facet, const char *from, const char *to, char *result) {
    look_at_part(from, to, 0, SITE);
    look_at_part(result, result + (to - from), 1, SITE);
    return REAL(_ZNKSt5ctypeIcE8do_widenEPKcS2_Pc, const char *, const void *, const char *, const char *, char *)(facet, from, to, result);
}

EXPORTED const char *_ZNKSt5ctypeIcE9do_narrowEPKcS2_cPc(const void *facet, const char *from, const char *to, char other, char *result) {
    look_at_part(from, to, 0, SITE);
    look_at_part(result, result + (to - from), 1, SITE);
    return REAL(_ZNKSt5ctypeIcE9do_narrowEPKcS2_cPc, const char *, const void *, const char *, const char *, char, char *)
    (facet, from, to, other, result);
}

#define SORTS(name) \
    EXPORTED void *name(void *result, const void *facet, const char *from, const char *to) { \
        look_at_part(from, to, 0, SITE); \
        return REAL(name, void *, void *, const void *, const char *, const char *)(result, facet, from, to); \
    }
SORTS(_ZNKSt7__cxx117collateIcE9transformEPKcS3_)
SORTS(_ZNKSt7__cxx117collateIcE12do_transformEPKcS3_)

EXPORTED int _ZNKSt7__cxx117collateIcE10do_compareEPKcS3_S3_S3_(
    const void *facet, const char *from, const char *to, const char *other, const char *other_to) {
    look_at_part(from, to, 0, SITE);
    look_at_part(other, other_to, 0, SITE);
    return REAL(
        _ZNKSt7__cxx117collateIcE10do_compareEPKcS3_S3_S3_, int, const void *, const char *, const char *, const char *,
        const char *)(facet, from, to, other, other_to);
}

EXPORTED long _ZNKSt7__cxx117collateIcE7do_hashEPKcS3_(const void *facet, const char *from, const char *to) {
    look_at_part(from, to, 0, SITE);
    return REAL(_ZNKSt7__cxx117collateIcE7do_hashEPKcS3_, long, const void *, const char *, const char *)(facet, from, to);
}

#endif
