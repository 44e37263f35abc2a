import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { AppError } from '../../domain/errors.ts'
import { hashPassword } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import * as audit from '../audit/service.ts'
import { canonicalEmail, canonicalPassword } from './rules.ts'
import { deleteSessionsOf } from './session-queries.ts'
import { type Open, reauthenticate } from './sign-in.ts'
import { selectUser, updatePassword } from './user-queries.ts'

/** A password's hash. @throws VALIDATION_FAILED where it is easy to guess */
export async function newPasswordHash(password: string, email: string, path: string): Promise<string> {
  await refuseWeak(password, email, path)
  return hashPassword(canonicalPassword(password))
}

/** Changes one's own password, and ends every session. @throws SIGN_IN_FAILED, RATE_LIMITED, VALIDATION_FAILED */
export async function changePassword(
  open: Open,
  session: SignedIn,
  { current, next }: { current: string; next: string },
): Promise<void> {
  const { email } = (await open((tx) => selectUser(tx, session.userId))) ?? { email: '' }
  await refuseWeak(next, email, 'next')
  await reauthenticate(open, session, { password: current }, async () => undefined)
  const hash = await hashPassword(canonicalPassword(next))
  await open((tx) => setPassword(tx, session.userId, hash))
}

// zxcvbn's highest score begins here: beyond what an attacker with a stolen, slow hash tries.
const FEWEST_GUESSES = 1e10

let estimator: Promise<ZxcvbnFactory> | undefined

/** Loaded for the first password that somebody chooses: it takes 0.1 s and up to 45 MB, which a worker never needs. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  // By default 128 characters such as "p@ssw0rd" block the process for 150 ms; with these limits, 20 ms.
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: 64, l33tMaxSubstitutions: 16 })
}

/** Whether an attacker who knows published passwords, names, keyboards and dates, and `knownWords`, finds it early. */
export async function isGuessedEarly(password: string, knownWords: string[]): Promise<boolean> {
  estimator ??= load()
  const { guesses } = (await estimator).check(password, knownWords)
  return guesses < FEWEST_GUESSES
}

const PASSWORD = { min: 12, max: 128 } as const

// The commonest of twelve characters or more in published lists, and rows of the keyboard; others fall to the rules below.
const common = [
  ...['password', 'qwerty', 'qwertz', 'azerty', '1234567890', '0987654321', 'abcdefghij', 'letmein', 'iloveyou'],
  ...['welcome', 'administrator', 'admin', 'changeme', 'secret', 'trustno1', 'superman', 'football', 'baseball'],
  ...['princess', 'sunshine', 'dragon', 'monkey', 'shadow', 'master', 'passw0rd', 'p@ssword', 'p@ssw0rd'],
  ...['1q2w3e4r5t6y', '1qaz2wsx3edc', 'zaq12wsx', 'qazwsxedc', 'asdfghjkl', 'zxcvbnm', 'qwertyuiop'],
  ...['correcthorsebatterystaple', 'kitlane', 'computer', 'whatever'],
]
const longestFirst = [...common].sort((a, b) => b.length - a.length)

const GUESSED_EARLY =
  'This is one of the passwords that are guessed first: choose another, such as four words that nobody else would put together'

/**
 * Why a password cannot be taken, as a sentence; undefined for a good one. 12 to 128 characters (NIST SP 800-63B asks for a
 * list of common ones and no composition rules): what is left without common words, the own e-mail, digits and signs
 * counts, and so do different characters.
 */
function passwordProblem(password: string, email: string): string | undefined {
  const length = [...password].length
  if (length < PASSWORD.min) return `Use at least ${PASSWORD.min} characters`
  if (length > PASSWORD.max) return `Use at most ${PASSWORD.max} characters`
  const lower = password.toLowerCase()
  if (new Set(lower).size < 5) return 'Use more different characters'
  const [name = '', host = ''] = canonicalEmail(email).split('@')
  let rest = lower
  for (const word of [canonicalEmail(email), name, host, ...longestFirst]) {
    if (word.length > 3) rest = rest.replaceAll(word, '')
  }
  if (rest.length < lower.length && rest.replace(/[\d\W_]/g, '').length < 5) {
    return GUESSED_EARLY
  }
  return undefined
}

async function refuseWeak(password: string, email: string, path: string): Promise<void> {
  const problem =
    passwordProblem(password, email) ??
    ((await isGuessedEarly(canonicalPassword(password), [...canonicalEmail(email).split('@'), 'kitlane']))
      ? GUESSED_EARLY
      : undefined)
  if (problem) throw new AppError('VALIDATION_FAILED', problem, { details: [{ message: problem, path }] })
}

/** Writes a password's hash and ends every session of the user. */
export async function setPassword(tx: SystemTx, userId: string, hash: string, actor?: string): Promise<void> {
  await updatePassword(tx, userId, hash)
  await deleteSessionsOf(tx, userId)
  await audit.recordSystem(tx, [{ action: 'password.changed', objectType: 'user', objectId: userId }], actor)
}
