import { Secret, TOTP } from 'otpauth'
import { type Person, signIn } from './people.ts'
import type { World } from './world.ts'

/** The code that an authenticator app shows at this time. */
export const codeAt = (secret: string, timestamp: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })

/** Enables a person's second factor and returns its secret. */
export async function withSecondFactor(world: World, who: Person): Promise<string> {
  const { account } = await signIn(world, who)
  const { body } = await account.post('/session/totp', { password: who.password })
  const { status, text } = await account.post('/session/totp/confirm', { code: codeAt(body.secret, Date.now()) })
  if (status !== 200) throw new Error(`the second factor was refused: ${text}`)
  return body.secret
}

/** An unused code. Each code works once, and the next one is accepted already. */
export const nextCode = (secret: string): string => codeAt(secret, Date.now() + 30_000)
