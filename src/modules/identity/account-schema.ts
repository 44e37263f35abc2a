import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { anyText, optionalText, said, text, timestamp } from '../../platform/http/fields.ts'

const encoded = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/, 'Base64url')

const credential = {
  id: encoded(1400),
  rawId: encoded(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  clientExtensionResults: z.record(z.string(), z.unknown()).optional(),
}

/** `PublicKeyCredential.toJSON()` of a browser that made a passkey. */
const MadeCredential = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: encoded(4000),
      attestationObject: encoded(40_000),
      transports: z.array(text(40)).max(10).optional(),
    }),
  })
  .transform((made) => ({ clientExtensionResults: {}, ...made }) as unknown as RegistrationResponseJSON)

/** The same of one that signed. */
const SignedChallenge = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: encoded(4000),
      authenticatorData: encoded(4000),
      signature: encoded(4000),
      userHandle: encoded(100).optional(),
    }),
  })
  .transform((signed) => ({ clientExtensionResults: {}, ...signed }) as unknown as AuthenticationResponseJSON)

export const PasskeyOptions = z.looseObject({ challenge: z.string() }).meta({
  id: 'PasskeyOptions',
  description: 'What the WebAuthn API of a browser takes as JSON. Good for 5 minutes, once.',
})

export const NewPasskey = z.object({
  name: text(100).describe('The device, in the words of its owner.'),
  response: MadeCredential,
})

export const ShownPasskey = z
  .object({ id: z.string(), name: z.string(), createdDate: timestamp, lastUsedDate: timestamp.optional() })
  .meta({ id: 'Passkey' })

export const AddedPasskey = z.object({
  passkey: ShownPasskey,
  recoveryCodes: z
    .array(z.string())
    .optional()
    .describe('With the first second factor. Each works once, in place of a code. Shown only now.'),
})

export const PasskeySignIn = z.object({ response: SignedChallenge })

export const GivenProof = z.object({
  password: anyText(1000).optional(),
  code: optionalText(64).describe('Six digits of the authenticator, or a recovery code.'),
  passkey: SignedChallenge.optional(),
})

export const OwnSession = z
  .object({
    id: z.string(),
    browser: said.optional().describe('In words: "Firefox on Windows".'),
    network: z
      .string()
      .optional()
      .describe('Where it was last used: an IPv4 address, or the first 64 bits of an IPv6 one.'),
    createdDate: timestamp,
    lastSeenDate: timestamp,
    isCurrent: z.boolean().describe('The one that asks.'),
  })
  .meta({ id: 'OwnSession' })

export const SignInPolicy = z
  .object({ secondFactorRequired: z.boolean().describe('true: members without a second factor set one up first.') })
  .meta({ id: 'SignInPolicy' })
