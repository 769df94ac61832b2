/** Exit codes of every command. `sync` has one more, for a pass while another replica holds the lease. */
export const EXIT = {
    /** It did what it was asked for, and found nothing to object to. */
    ok: 0,
    /** It found what its page names: a violation, a gate that is reached, something broken, an unknown error. */
    found: 1,
    /** The command line is invalid, or something that it names cannot be read. */
    unreadable: 2,
} as const;
