import { Secret, TOTP } from 'otpauth'
import { type Person, signIn } from './people.ts'
import type { World } from './world.ts'

/** The code that an authenticator shows at a time. */
export const codeAt = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })

/** Switches the second factor of a person on. Returns its secret. */
export async function withSecondFactor(world: World, who: Person): Promise<string> {
  const { account } = await signIn(world, who)
  const { body } = await account.post('/session/totp', { password: who.password })
  const { status, text } = await account.post('/session/totp/confirm', { code: codeAt(body.secret, Date.now()) })
  if (status !== 200) throw new Error(`the second factor was refused: ${text}`)
  return body.secret
}

/** A code that was not used before: each counts once, and the next one is taken already. */
export const nextCode = (secret: string): string => codeAt(secret, Date.now() + 30_000)
