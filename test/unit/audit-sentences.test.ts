import { formatOf } from '@kitlane/display/sentence'
import { describe, expect, it } from 'vitest'
import { detailsInWords } from '../../web/src/features/audit/details.ts'
import { groups, labelOf, sentenceOf } from '../../web/src/features/audit/sentences/sentences.ts'
import { read, trackedFiles } from '../harness/sources.ts'

const files = read(trackedFiles().filter((path) => /^web\/src\/language\/es\/[\w-]+\.json$/.test(path)))
const spanish: Record<string, string> = Object.assign({}, ...files.map(({ text }) => JSON.parse(text)))
const inLanguage = { en: (text: string) => text, es: (text: string) => spanish[text] ?? '' }
const everySentence = groups.flatMap(({ sentences }) => Object.entries(sentences))

describe('an entry of the audit', () => {
  it('is a sentence about who did it, in both languages', () => {
    const message = sentenceOf('report.published') ?? ''
    const values = { who: 'Ana Pérez', of: 'R3Y577ZN0T', version: 1, more: (parts: string[]) => parts.join('') }
    const said = (text: string, language: string) => [formatOf(text, language).format<string>(values)].flat().join('')
    expect(said(message, 'en')).toBe('Ana Pérez published report R3Y577ZN0T, version 1')
    expect(said(inLanguage.es(message), 'es')).toBe('Ana Pérez publicó el informe R3Y577ZN0T, versión 1')
  })

  it('begins with who did it, and leaves out what older entries lack', () => {
    expect(
      everySentence.filter(
        ([, message]) => !message.startsWith('{who} ') || !inLanguage.es(message).startsWith('{who} '),
      ),
    ).toEqual([])
    const outside = everySentence.map(([, message]) => message.replace(/<more>.*<\/more>/, ''))
    expect(outside.filter((message) => /\{(?!who|of\})/.test(message))).toEqual([])
  })

  it('of an action that nobody knows has no sentence', () => {
    expect([sentenceOf('wish.granted'), sentenceOf('toString')]).toEqual([undefined, undefined])
    expect(labelOf(sentenceOf('report.published') ?? '')).toBe('Published report')
  })

  it('says its details as words: lists that are counted by their number, IDs as they are', () => {
    const listed = { ids: ['K1', 'K2'], count: 2, inTime: false, newDevice: true, customerId: 915265454273 }
    expect(detailsInWords(listed)).toEqual(['shown 2', 'in time: no', 'new device', 'customer 915265454273'])
    expect(detailsInWords({ before: { publishing: 'auto' }, rows: 1200 })).toEqual([
      'before: publishing by itself',
      'rows 1,200',
    ])
    expect(detailsInWords({ version: 1, theirs: null }, ['version'])).toEqual(['theirs –'])
  })

  it.each(['en', 'es'] as const)('is chosen by a label that stands by itself, in %s', (language) => {
    const labels = everySentence.map(([, message]) => labelOf(inLanguage[language](message)))
    expect(labels.length).toBeGreaterThan(230)
    expect(
      labels.filter((label) => !/^\p{Lu}\p{L}+( |$)/u.test(label) || / {2}| [,:]|[ ,:]$|[{}<>]/.test(label)),
    ).toEqual([])
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([])
  })
})
