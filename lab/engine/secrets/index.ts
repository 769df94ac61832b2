import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

/** Encrypts and decrypts texts with the key of one stack. */
export interface Crypter {
    encrypt(plain: string): string;
    /** @throws Error if the text was made with another key or is damaged. */
    decrypt(cipher: string): string;
}

/** A key together with what a checkpoint says about it. */
export interface SecretsManager {
    readonly crypter: Crypter;
    /** The salt text as it stands in the stack's settings and checkpoint. */
    readonly salt: string;
    /** The `secrets_providers` part of a checkpoint. */
    describe(): { type: string; state: { salt: string } };
}

/** Rounds of key derivation; it makes guessing passphrases slow (about half a second each). */
const ROUNDS = 1_000_000;
/** Word that is encrypted into the salt text to recognise a wrong passphrase. */
const CHECK_WORD = "pulumi";
const derive = promisify(pbkdf2);

class AesCrypter implements Crypter {
    constructor(private readonly key: Buffer) {}

    encrypt(plain: string): string {
        const nonce = randomBytes(12);
        const c = createCipheriv("aes-256-gcm", this.key, nonce);
        const data = Buffer.concat([c.update(plain, "utf8"), c.final(), c.getAuthTag()]);
        return `v1:${nonce.toString("base64")}:${data.toString("base64")}`;
    }

    decrypt(cipher: string): string {
        const [version, nonce, data] = cipher.split(":");
        if (version !== "v1" || nonce === undefined || data === undefined)
            throw new Error("unknown form of ciphertext");
        const raw = Buffer.from(data, "base64");
        const d = createDecipheriv("aes-256-gcm", this.key, Buffer.from(nonce, "base64"));
        d.setAuthTag(raw.subarray(raw.length - 16));
        return Buffer.concat([d.update(raw.subarray(0, raw.length - 16)), d.final()]).toString("utf8");
    }
}

function manager(crypter: Crypter, salt: string): SecretsManager {
    return { crypter, salt, describe: () => ({ type: "passphrase", state: { salt } }) };
}

/**
 * The passphrase from PULUMI_CONFIG_PASSPHRASE (may be empty) or the file named by PULUMI_CONFIG_PASSPHRASE_FILE.
 * @throws Error if neither is set.
 */
export function passphrase(env: NodeJS.ProcessEnv = process.env): string {
    if (env["PULUMI_CONFIG_PASSPHRASE"] !== undefined) return env["PULUMI_CONFIG_PASSPHRASE"];
    const file = env["PULUMI_CONFIG_PASSPHRASE_FILE"];
    if (file) return readFileSync(file, "utf8").replace(/\r?\n$/, "");
    throw new Error(
        "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables",
    );
}

const managers = new Map<string, Promise<SecretsManager>>();

/**
 * The manager for a salt text `v1:<salt>:v1:<nonce>:<check>`. The key is derived once per process.
 * @throws Error "incorrect passphrase" if the check word does not decrypt.
 */
export function openSecrets(salt: string, phrase: string): Promise<SecretsManager> {
    const id = `${salt}\n${phrase}`;
    let m = managers.get(id);
    if (!m) {
        m = (async () => {
            const parts = /^v1:([^:]+):(.+)$/s.exec(salt);
            if (!parts) throw new Error("malformed encryptionsalt");
            const crypter = new AesCrypter(
                await derive(phrase, Buffer.from(parts[1] as string, "base64"), ROUNDS, 32, "sha256"),
            );
            let word: string;
            try {
                word = crypter.decrypt(parts[2] as string);
            } catch {
                throw new Error("incorrect passphrase");
            }
            if (word !== CHECK_WORD) throw new Error("incorrect passphrase");
            return manager(crypter, salt);
        })();
        managers.set(id, m);
    }
    return m;
}

/** A new key with a random salt. */
export async function createSecrets(phrase: string): Promise<SecretsManager> {
    const raw = randomBytes(8);
    const crypter = new AesCrypter(await derive(phrase, raw, ROUNDS, 32, "sha256"));
    const salt = `v1:${raw.toString("base64")}:${crypter.encrypt(CHECK_WORD)}`;
    const m = manager(crypter, salt);
    managers.set(`${salt}\n${phrase}`, Promise.resolve(m));
    return m;
}

/** Encrypts with a key that is not kept: for secrets in events, which must show that something is there and not what. */
export const blindingCrypter: Crypter = {
    encrypt: () => "[secret]",
    decrypt: () => "[secret]",
};
