/** A value of an annotation, and what is observed once it is set. */
export type Step = readonly [value: string, observed: unknown];

/** Annotation of an end-to-end test, with its values and the observation after each step. */
export interface AnnotationRow<View, Service, Changed extends Step | undefined> {
    readonly annotation: string;
    readonly service: Service;
    readonly read: (view: View) => unknown;
    readonly created: Step;
    /** Undefined: the value cannot change, which another test covers. */
    readonly changed: Changed;
    /** The observed value after the annotation was removed. */
    readonly removed: unknown;
}

/** Makes rows from the lines of a table. */
export const rowsOf =
    <View, Service, Changed extends Step | undefined = Step>() =>
    (
        annotation: string,
        service: Service,
        read: (view: View) => unknown,
        created: Step,
        changed: Changed,
        removed: unknown,
    ): AnnotationRow<View, Service, Changed> => ({ annotation, service, read, created, changed, removed });
