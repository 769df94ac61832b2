/** Protections that deleting the Service switches off, for the preview to name. */
export function protectionsSwitchedOff(model: {
    readonly deleteProtection: boolean;
    readonly modificationProtection: string;
    readonly preserve: boolean;
}): string[] {
    return [
        ...(model.deleteProtection ? ["deleteProtection"] : []),
        ...(model.preserve && model.modificationProtection === "ConsoleProtection" ? ["modificationProtection"] : []),
    ];
}
