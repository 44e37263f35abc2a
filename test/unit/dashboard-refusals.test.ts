import { readFileSync } from 'node:fs'
import { spanish } from '@kitlane/display/spanish'
import { factOf, insteadOfNumber, inWords, reasons } from '@kitlane/lab-reader/identify/reasons'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/domain/error-codes.ts'
import { saidTexts } from '../harness/dashboard-words.ts'
import { differences } from '../harness/message-shape.ts'
import { read, trackedFiles } from '../harness/sources.ts'

const words = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../web/src/language/es-service/${name}.json`, import.meta.url), 'utf8'))

// What a program alone can meet: the dashboard sends no such request.
const OF_PROGRAMS = [
  'ADDRESS_NOT_ALLOWED',
  'IDEMPOTENCY_CONFLICT',
  'IDEMPOTENCY_MISMATCH',
  'METHOD_NOT_ALLOWED',
  'REALM_REQUIRED',
  'ROUTE_NOT_FOUND',
  'SANDBOX_TOKEN_REQUIRED',
  'UNSUPPORTED_MEDIA_TYPE',
]

describe('what the service says, in Spanish:', () => {
  it('each error that a person can meet has a sentence, by a code that exists', () => {
    const refusals = words('refusals')
    expect([...Object.keys(refusals), ...OF_PROGRAMS].sort()).toEqual(Object.keys(errorCodes).sort())
    for (const sentence of Object.values(refusals)) expect(sentence).toMatch(/^[¿\p{Lu}].+\.$/u)
  })

  it('each sentence of a rule is a message as it stands, and has a Spanish one with the same values', () => {
    const said = read(trackedFiles().filter((path) => /^(src|display|packages\/lab-reader\/src)\/.*\.ts$/.test(path)))
      .filter(({ path }) => path !== 'display/sentence.ts')
      .map((source) => saidTexts(source, /^sentence$/))
    expect(said.flatMap(({ others }) => others)).toEqual([])
    const words = said.flatMap(({ texts }) => texts).filter((text) => /\p{L}/u.test(text.replace(/\{\w+\}/g, '')))
    expect(differences(Object.fromEntries(words.map((text) => [text, text])), spanish, 'es')).toEqual([])
  })

  it('each reason why a result has no verdict has a sentence', () => {
    const judging = read(trackedFiles().filter((path) => /^src\/modules\/reports\/judge\/\w+\.ts$/.test(path)))
    const notes = judging.flatMap(({ text }) =>
      [...text.matchAll(/^const \w+Note = '([^']+)'/gm)].map(([, note]) => note),
    )
    expect(notes.length).toBeGreaterThan(12)
    const known = Object.keys(words('sentences'))
    expect(notes.filter((note) => !known.includes(note?.replace(/\.$/, '') ?? ''))).toEqual([])
  })

  it('each reason why a result of a laboratory waits says what to do, and has a sentence, alone and with what it rests on', () => {
    const known = words('sentences')
    const all = [...Object.values(reasons), ...Object.values(insteadOfNumber), inWords]
    expect(all.filter((reason) => !/: \p{Ll}/u.test(reason))).toEqual([])
    expect(all.filter((reason) => !known[reason] || !known[`${reason}: {words}`])).toEqual([])
  })

  it('each reason why a message of a laboratory waits, or changes nothing, says what to do, and has a sentence', () => {
    const files = [
      'lab/match.ts',
      'lab/messages/queue.ts',
      'lab/messages/receive.ts',
      'kits/consent/withdrawal-rules.ts',
    ]
    const code = read(trackedFiles().filter((path) => files.some((file) => path === `src/modules/${file}`)))
    expect(code.length).toBe(files.length)
    const all = code.flatMap(({ text }) =>
      [...text.matchAll(/'(\p{Lu}[^'\n]*? [^'\n]* [^'\n]*)'/gu)].map(([, one = '']) => one),
    )
    const reasons = all.filter((one) => one !== 'The person whom the file names')
    expect(reasons.length).toBeGreaterThan(20)
    expect(reasons.filter((reason) => !/: \p{Ll}/u.test(reason))).toEqual([])
    expect(reasons.filter((reason) => /: (?:it|he|she|they) /.test(reason))).toEqual([])
    const known = words('sentences')
    expect(reasons.filter((reason) => !known[reason])).toEqual([])
  })

  it('a person reads what was wrong with a result, and not what those who check it have to do', () => {
    expect(factOf(`${reasons.annulled}: Sample was clotted: repeat`)).toBe(
      'A note beside it says that it may not be used: Sample was clotted: repeat',
    )
    expect(factOf(reasons.noUnit)).toBe('No unit is printed')
    expect(factOf('Something else: not known here')).toBe('Something else: not known here')
  })

  it('each other sentence is one that the service still says', () => {
    const code = read(trackedFiles().filter((path) => /^(src|display|packages\/lab-reader\/src)\/.*\.ts$/.test(path)))
      .map(({ text }) => text)
      .join('\n')
    // What a reason rests on follows it after a colon, which the sentence in the code has not.
    const isSaid = (sentence: string) =>
      sentence.split(/(?:: (?=\{words\}$))?\{\w+\}/).every((fixed) => code.includes(fixed))
    expect(Object.keys(words('sentences')).filter((sentence) => !isSaid(sentence))).toEqual([])
  })
})
