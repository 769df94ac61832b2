import { ListValue, NullValue, Struct, Value as Pb } from "google-protobuf/google/protobuf/struct_pb";
import {
    isMap,
    OUTPUT_SIGNATURE,
    OutputValue,
    REFERENCE_SIGNATURE,
    Secret,
    SECRET_SIGNATURE,
    SIGNATURE_KEY,
    UNKNOWN,
    Unknown,
    UNKNOWN_TEXT,
    type Value,
    type ValueMap,
} from "./value";

/** What the receiver of a message understands; what it does not is simplified before sending. */
export interface WireOptions {
    /** Send secrets wrapped; otherwise their plain value. */
    keepSecrets?: boolean;
    /** Send output values with their dependencies; otherwise as plain, secret or unknown. */
    keepOutputs?: boolean;
    /** Send resource references; otherwise the id, or the URN if there is no id. */
    keepResources?: boolean;
}

/** Reads a protobuf struct; undefined counts as empty. */
export function decodeStruct(s: Struct | undefined): ValueMap {
    const r: ValueMap = {};
    s?.getFieldsMap().forEach((v, k) => {
        r[k] = decodeValue(v);
    });
    return r;
}

/** Reads a protobuf value, recognising secrets, unknowns and output values. */
export function decodeValue(v: Pb): Value {
    switch (v.getKindCase()) {
        case Pb.KindCase.BOOL_VALUE:
            return v.getBoolValue();
        case Pb.KindCase.NUMBER_VALUE:
            return v.getNumberValue();
        case Pb.KindCase.STRING_VALUE: {
            const s = v.getStringValue();
            return s === UNKNOWN_TEXT ? UNKNOWN : s;
        }
        case Pb.KindCase.LIST_VALUE:
            return (v.getListValue()?.getValuesList() ?? []).map(decodeValue);
        case Pb.KindCase.STRUCT_VALUE:
            return fromSpecial(decodeStruct(v.getStructValue()));
        default:
            return null;
    }
}

function fromSpecial(m: ValueMap): Value {
    const sig = m[SIGNATURE_KEY];
    if (sig === SECRET_SIGNATURE) return new Secret(m["value"] ?? null);
    if (sig === OUTPUT_SIGNATURE) {
        const deps = Array.isArray(m["dependencies"])
            ? m["dependencies"].filter((d): d is string => typeof d === "string")
            : [];
        return new OutputValue("value" in m ? m["value"] : undefined, m["secret"] === true, deps);
    }
    return m;
}

/** Writes a map as a protobuf struct. */
export function encodeStruct(m: ValueMap, o: WireOptions = {}): Struct {
    const s = new Struct();
    const fields = s.getFieldsMap();
    for (const k of Object.keys(m)) fields.set(k, encodeValue(m[k] as Value, o));
    return s;
}

/** Writes one value. */
export function encodeValue(v: Value, o: WireOptions = {}): Pb {
    const p = new Pb();
    if (v === null || v === undefined) p.setNullValue(NullValue.NULL_VALUE);
    else if (typeof v === "boolean") p.setBoolValue(v);
    else if (typeof v === "number") p.setNumberValue(v);
    else if (typeof v === "string") p.setStringValue(v);
    else if (v instanceof Unknown) p.setStringValue(UNKNOWN_TEXT);
    else if (v instanceof Secret) {
        if (!o.keepSecrets) return encodeValue(v.element, o);
        p.setStructValue(encodeStruct({ [SIGNATURE_KEY]: SECRET_SIGNATURE, value: v.element }, o));
    } else if (v instanceof OutputValue) {
        if (!o.keepOutputs) return encodeValue(v.secret ? new Secret(v.element ?? UNKNOWN) : (v.element ?? UNKNOWN), o);
        const m: ValueMap = { [SIGNATURE_KEY]: OUTPUT_SIGNATURE };
        if (v.element !== undefined) m["value"] = v.element;
        if (v.secret) m["secret"] = true;
        if (v.dependencies.length > 0) m["dependencies"] = [...v.dependencies];
        p.setStructValue(encodeStruct(m, o));
    } else if (Array.isArray(v)) {
        const l = new ListValue();
        l.setValuesList(v.map((e) => encodeValue(e, o)));
        p.setListValue(l);
    } else if (isMap(v)) {
        if (v[SIGNATURE_KEY] === REFERENCE_SIGNATURE && !o.keepResources)
            return encodeValue(v["id"] === undefined ? (v["urn"] ?? null) : v["id"], o);
        p.setStructValue(encodeStruct(v, o));
    }
    return p;
}
