import { readFileSync } from 'node:fs'
import { openingOf } from '@kitlane/display/story'
import { describe, expect, it } from 'vitest'
import names from '../../src/domain/translations/names.json' with { type: 'json' }
import { languages, maybeFindLanguage, translatorOf } from '../../src/domain/translations/translator.ts'
import { openingWords, verdictWords } from '../../src/modules/reports/render/words.ts'
import { readOtherFonts } from '../../src/platform/pdf/fonts.ts'
import { Sheet } from '../../src/platform/pdf/sheet.ts'
import { openingText } from '../../web/src/features/reports/opening.ts'
import { verdictText } from '../../web/src/features/reports/verdicts.ts'
import { literalWords } from '../harness/literal-words.ts'
import { differences, shapeOf } from '../harness/message-shape.ts'
import { read, trackedFiles } from '../harness/sources.ts'

const messagesOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../src/domain/translations/${language}.json`, import.meta.url), 'utf8'))
const english = messagesOf('en')

describe('the messages for people tested', () => {
  it.each(languages)('are all there in %s, with the placeholders of the English ones', (language) => {
    expect(Object.keys(english).length).toBeGreaterThan(400)
    expect(differences(english, messagesOf(language), language)).toEqual([])
  })

  it.each(languages.filter((language) => language !== 'en'))(
    'are said in %s: no sentence is left in English',
    (language) => {
      const messages = messagesOf(language)
      const sentences = Object.entries(english).filter(
        ([, text]) => text.replace(/\{[^}]*\}/g, '').split(/\s+/).length > 3,
      )
      expect(sentences.length).toBeGreaterThan(200)
      expect(sentences.filter(([key, text]) => messages[key] === text)).toEqual([])
    },
  )

  it.each(languages)('have only letters that a font of the PDF has, in %s', async (language) => {
    const t = translatorOf(language)
    const sheet = new Sheet({ title: 'T', author: 'A', at: new Date(0) }, t)
    const texts = [...Object.values(messagesOf(language)), ...Object.keys(names).map(t.nameOf)]
    const hidden = () => texts.filter((text) => !sheet.canShow(text))
    while (hidden().length > 0 && (await readOtherFonts())) expect(hidden().length).toBeLessThan(texts.length)
    expect(hidden()).toEqual([])
  })

  it('of a language that lacks one, has one too many, or another placeholder, are found', () => {
    const { 'home.hello': _, ...short } = english
    expect(differences(english, short, 'de')).toEqual(['home.hello is missing'])
    expect(differences(english, { ...english, 'home.bye': 'x' }, 'de')).toEqual(['home.bye is in no English message'])
    const other = { ...english, 'home.helloName': 'Hallo {vorname}', 'enter.registered': 'Schon da?' }
    expect(differences(english, other, 'de')).toHaveLength(2)
    expect(() => shapeOf('{count, plural, one {x}', 'de')).toThrow()
  })

  it('are the only words of the pages: no sentence stands in their code', () => {
    const pages =
      /^src\/modules\/portal\/(view|registration|personal)\/[\w-]+\.ts$|^src\/modules\/portal\/(words|language|paper)\.ts$|^src\/extensions\/reminders\/stop-view\.ts$/
    const sources = read(trackedFiles().filter((path) => pages.test(path) && !path.endsWith('/style.ts')))
    expect(sources.length).toBeGreaterThan(25)
    const templates = sources.reduce((count, { text }) => count + text.split('html`').length - 1, 0)
    expect(templates).toBeGreaterThan(100)
    // Parts of keys, such as verdict.slightLow.
    const found = sources.flatMap(literalWords).filter((one) => !/words\.ts:\d+ (Low|High|Far)$/.test(one))
    expect(found).toEqual([])
  })

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: they are code
  it.each([
    'export const x = html`<p>Take your sample.</p>`',
    'export const x = html`<p class="a">${name}<b>by mail</b></p>`',
    'export const x = html`<svg aria-label="A box"></svg>`',
    "export const x = (t) => html`<p>${isDone ? 'It is done' : t('a.b')}</p>`",
    "export const title = 'Welcome'",
    'export const x = (name: string) => `Hello ${name}`',
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: they are code
  ])('would be missed in %s', (text) => {
    expect(literalWords({ path: 'x.ts', text })).toHaveLength(1)
  })

  it('open a report in English as the dashboard does', () => {
    const t = translatorOf('en')
    const states = ['optimal', 'good', 'fair', 'poor', 'unknown'] as const
    let seen = 0
    for (let number = 0; number < 5 ** 4; number++) {
      const chosen = [0, 1, 2, 3].flatMap((at) =>
        number % 7 > at ? [states[Math.floor(number / 5 ** at) % 5] ?? 'good'] : [],
      )
      for (const unassessed of [[], [{ critical: false }], [{ critical: true }, { critical: true }]]) {
        const biomarker = chosen.map((state, index) => ({
          id: String(index),
          simpleLabel: 'x',
          state,
          deviationScore: 0,
          result: 1,
          interpretation: state === 'poor' && number % 2 === 0 ? ('HH' as const) : ('N' as const),
        }))
        const opening = openingOf({ biomarker, unassessed })
        expect(openingWords(t, opening)).toBe(openingText(opening))
        seen++
      }
    }
    expect(seen).toBeGreaterThan(1000)
  })

  it('say of every value in English what the dashboard says of it', () => {
    const t = translatorOf('en')
    const seen = new Set<string>()
    for (const state of ['optimal', 'good', 'fair', 'poor', 'unknown'] as const)
      for (const interpretation of ['N', 'L', 'H', 'LL', 'HH', 'A', 'AA', ''] as const)
        for (const finding of [undefined, { kind: 'presence' as const, value: 'positive' as const }]) {
          const entry = { state, interpretation, ...(finding && { finding }) }
          expect(verdictText(entry)).toBe(verdictWords(t, entry))
          seen.add(verdictText(entry))
        }
    expect(seen.size).toBe(19)
  })
})

describe('the language of a page', () => {
  it('is the first wanted one that there is, of any region, and none of others', () => {
    expect(maybeFindLanguage(['xx', undefined, null, 'EN-us', 'de'])).toBe('en')
    expect(maybeFindLanguage(['tlh', '', '*'])).toBeUndefined()
  })

  it('writes dates, numbers and lists, and keeps the direction of what it quotes', () => {
    const en = translatorOf('en')
    expect(en.date('2026-11-20T23:00:00Z')).toBe('20 Nov 2026')
    expect(en.number(1234.5)).toBe('1234.5')
    expect(en('email.helloName', { name: '{x} <b>' })).toBe('Hello {x} <b>,')
  })
})
