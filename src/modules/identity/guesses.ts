import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

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
