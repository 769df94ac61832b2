import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** Secrets provider of a stack whose key is at the key service. */
export const SECRETS_PROVIDER = "hashivault://engine";

/**
 * Starts a key service that the CLI takes for HashiCorp Vault, and that leaves every key as it is. With a passphrase
 * the CLI would compute a key in a million rounds at each start, which takes longer than most runs.
 *
 * @returns variables by which the CLI finds it
 */
export async function startKeyService(): Promise<Readonly<Record<string, string>>> {
    const server = http.createServer((request, response) => {
        void json(request).then((body) => {
            const { plaintext, ciphertext } = body as Readonly<Record<string, string>>;
            response.end(JSON.stringify({ data: { plaintext: ciphertext, ciphertext: plaintext } }));
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    server.unref();
    return {
        VAULT_SERVER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        VAULT_SERVER_TOKEN: "engine",
    };
}
