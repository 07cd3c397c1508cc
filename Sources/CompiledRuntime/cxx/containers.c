// The functions of libstdc++ that link and arrange the nodes of C++ containers. The library's code is not instrumented,
// so its accesses are noted here. The rest of a container is templates, which are compiled with the program.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"

// MARK: - Trees: map, set

typedef struct node {
    int color;
    struct node *parent, *left, *right;
} node_t;

// More levels than a tree can have that fits into memory: a red-black tree of n nodes has at most 2 log2(n + 1). A
// limit is needed, because in a tree that other threads change at the same time, parents may form a cycle.
enum { MOST_LEVELS = 2 * 64 };

enum { RED = 0 };

// Finds the header of a node's tree. The header is a part of the container. It and the root are each other's parents,
// and of the two only the header is red.
static node_t *header_above(node_t *node) {
    for (int levels = 0; levels < MOST_LEVELS && node && node->parent; levels++) {
        if (node->color == RED && node->parent->parent == node) break;
        node = node->parent;
    }
    return node;
}

// Accesses to the header represent those to all nodes of a tree: a change of the tree counts as a write to the header.
// A move from node to node counts as a read of the header and of the node.
static void look(node_t *node, uint64_t site) {
    if (!is_controlled()) return;
    lab_note_access(node, sizeof *node, 0, site);
    lab_note_access(header_above(node), sizeof *node, 0, site);
}

static void change(node_t *header, uint64_t site) { lab_note_access(header, sizeof *header, 1, site); }

#define MOVES(name) \
    EXPORTED node_t *name(node_t *node) { \
        look(node, SITE); \
        return REAL(name, node_t *, node_t *)(node); \
    }
MOVES(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base)
MOVES(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base)
MOVES(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base)
MOVES(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base)

EXPORTED void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
    _Bool is_left, node_t *node, node_t *parent, node_t *header) {
    change(header, SITE);
    REAL(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_, void, _Bool, node_t *, node_t *, node_t *)
    (is_left, node, parent, header);
}

EXPORTED node_t *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(node_t *node, node_t *header) {
    change(header, SITE);
    return REAL(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_, node_t *, node_t *, node_t *)(node, header);
}

// MARK: - Lists

typedef struct link {
    struct link *next, *before;
} link_t;

static void change_link(link_t *link, uint64_t site) {
    if (link) lab_note_access(link, sizeof *link, 1, site);
}

EXPORTED void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(link_t *link, link_t *next) {
    if (is_controlled()) {
        change_link(link, SITE);
        change_link(next, SITE);
        change_link(next->before, SITE);
    }
    REAL(_ZNSt8__detail15_List_node_base7_M_hookEPS0_, void, link_t *, link_t *)(link, next);
}

EXPORTED void _ZNSt8__detail15_List_node_base9_M_unhookEv(link_t *link) {
    if (is_controlled()) {
        change_link(link, SITE);
        change_link(link->next, SITE);
        change_link(link->before, SITE);
    }
    REAL(_ZNSt8__detail15_List_node_base9_M_unhookEv, void, link_t *)(link);
}

EXPORTED void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(link_t *link, link_t *first, link_t *last) {
    if (is_controlled() && link != last) {
        link_t *changed[] = {link, first, last};
        for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
            change_link(changed[i], SITE);
            change_link(changed[i]->before, SITE);
        }
    }
    REAL(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_, void, link_t *, link_t *, link_t *)(link, first, last);
}

// Reversing a list changes each of its nodes.
EXPORTED void _ZNSt8__detail15_List_node_base10_M_reverseEv(link_t *link) {
    if (is_controlled()) {
        change_link(link, SITE);
        for (link_t *node = link->next; node && node != link; node = node->next) change_link(node, SITE);
    }
    REAL(_ZNSt8__detail15_List_node_base10_M_reverseEv, void, link_t *)(link);
}

EXPORTED void _ZNSt8__detail15_List_node_base4swapERS0_S1_(link_t *one, link_t *other) {
    if (is_controlled()) {
        link_t *changed[] = {one, other, one->next, one->before, other->next, other->before};
        for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) change_link(changed[i], SITE);
    }
    REAL(_ZNSt8__detail15_List_node_base4swapERS0_S1_, void, link_t *, link_t *)(one, other);
}

// MARK: - Tables: unordered_map, unordered_set

EXPORTED size_t _ZSt11_Hash_bytesPKvmm(const void *bytes, size_t size, size_t seed) {
    lab_note_access(bytes, size, 0, SITE);
    return REAL(_ZSt11_Hash_bytesPKvmm, size_t, const void *, size_t, size_t)(bytes, size, seed);
}

// The size in bytes of the object that decides when a table grows (_Prime_rehash_policy): the greatest load factor, and
// the size at which the table grows next. The functions below write it, although it is const.
enum { POLICY_SIZE = 16 };

typedef struct {
    _Bool grows;
    size_t size;
} growth_t;

EXPORTED growth_t _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(
    const void *policy, size_t buckets, size_t elements, size_t more) {
    lab_note_access(policy, POLICY_SIZE, 1, SITE);
    return REAL(
        _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm, growth_t, const void *, size_t, size_t,
        size_t)(policy, buckets, elements, more);
}

EXPORTED size_t _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(const void *policy, size_t size) {
    lab_note_access(policy, POLICY_SIZE, 1, SITE);
    return REAL(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm, size_t, const void *, size_t)(policy, size);
}

#endif
