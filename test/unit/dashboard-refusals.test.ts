import { readFileSync } from 'node:fs'
import { spanish } from '@kitlane/display/spanish'
import { factOf, insteadOfNumber, inWords, reasons } from '@kitlane/lab-reader/identify/reasons'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../src/domain/error-codes.ts'
import { saidTexts } from '../harness/dashboard-words.ts'
import { differences } from '../harness/message-shape.ts'
import { read, trackedFiles } from '../harness/sources.ts'

const refusals: Record<string, string> = JSON.parse(
  readFileSync(new URL('../../web/src/language/refusals-es.json', import.meta.url), 'utf8'),
)
const ofService = /^(src|display|packages\/lab-reader\/src)\/.*\.ts$/

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
    expect([...Object.keys(refusals), ...OF_PROGRAMS].sort()).toEqual(Object.keys(errorCodes).sort())
    for (const sentence of Object.values(refusals)) expect(sentence).toMatch(/^[¿\p{Lu}].+\.$/u)
  })

  it('each sentence of a rule is a message as it stands, and has a Spanish one with the same values', () => {
    const sentences = read(trackedFiles().filter((path) => ofService.test(path) && path !== 'display/sentence.ts'))
      .filter(({ path }) => !path.endsWith('/stored-sentences.ts'))
      .map((source) => saidTexts(source, /^sentence$/))
    expect(sentences.flatMap(({ others }) => others)).toEqual([])
    const messages = sentences
      .flatMap(({ texts }) => texts)
      .filter((text) => /\p{L}/u.test(text.replace(/\{\w+\}/g, '')))
    expect(messages.length).toBeGreaterThan(60)
    const known = Object.entries(spanish).filter(([message]) => messages.includes(message))
    const english = Object.fromEntries(messages.map((message) => [message, message]))
    expect(differences(english, Object.fromEntries(known), 'es')).toEqual([])
  })

  it('each reason why a result has no verdict has a sentence, and none is bare text', () => {
    const judging = read(trackedFiles().filter((path) => /^src\/modules\/reports\/judge\/\w+\.ts$/.test(path)))
    const notes = judging.flatMap(({ text }) =>
      [...text.matchAll(/^const \w+Note = (sentence\()?\s*'([^']+)'/gm)].map(([, said, note = '']) => ({ said, note })),
    )
    expect(notes.length).toBeGreaterThan(12)
    expect(notes.filter(({ said, note }) => !said || !spanish[note])).toEqual([])
  })

  it('each reason why a result of a laboratory waits says what to do, and has a sentence', () => {
    const all = [...Object.values(reasons), ...Object.values(insteadOfNumber), inWords]
    expect(all.filter((reason) => !/: \p{Ll}/u.test(reason))).toEqual([])
    expect(all.filter((reason) => !spanish[reason])).toEqual([])
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
    expect(reasons.filter((reason) => !spanish[reason])).toEqual([])
  })

  it('a person reads what was wrong with a result, and not what those who check it have to do', () => {
    expect(factOf(`${reasons.annulled}: Sample was clotted: repeat`)).toBe(
      'A note beside it says that it may not be used: Sample was clotted: repeat',
    )
    expect(factOf(reasons.noUnit)).toBe('No unit is printed')
    expect(factOf('Something else: not known here')).toBe('Something else: not known here')
  })

  it('each other sentence is one that the service still says', () => {
    const code = read(trackedFiles().filter((path) => ofService.test(path)))
      .map(({ text }) => text)
      .join('\n')
    const isSaid = (sentence: string) =>
      code.includes(sentence) || sentence.split(/\{\w+\}/).every((fixed) => code.includes(fixed))
    expect(Object.keys(spanish).filter((sentence) => !isSaid(sentence))).toEqual([])
  })
})
