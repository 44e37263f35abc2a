import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { saidTexts, unwrappedWords } from '../harness/dashboard-words.ts'
import { differences } from '../harness/message-shape.ts'
import { read, trackedFiles } from '../harness/sources.ts'

const sources = read(
  trackedFiles().filter((path) => /^web\/src\/.*\.tsx?$/.test(path) && !path.startsWith('web/src/language/')),
)
const files = trackedFiles().filter((path) => /^web\/src\/language\/es\/[\w-]+\.json$/.test(path))
const translations = files.map((path): Record<string, string> => JSON.parse(readFileSync(path, 'utf8')))
const spanish: Record<string, string> = Object.assign({}, ...translations)
// Names, which no language changes, and what a font and a store are called.
const VERBATIM = [
  ...['Kitlane', 'Node.js', '"Source Sans", system-ui'],
  ...['Microsoft Entra ID', 'Okta', 'Google Workspace', 'Keycloak'],
]

describe('the words of the dashboard', () => {
  const said = sources.map((source) => saidTexts(source))
  const english = Object.fromEntries(said.flatMap(({ texts }) => texts).map((text) => [text, text]))

  it('are each a text that can be translated: none stands in the code without t()', () => {
    const found = sources.flatMap((source) =>
      unwrappedWords(source)
        .filter(({ words }) => !VERBATIM.some((one) => words.startsWith(one)))
        .map(({ node, words }) => `${source.path}:${source.text.slice(0, node.start).split('\n').length} ${words}`),
    )
    expect(found).toEqual([])
  })

  it('are texts as they stand, so that each is found', () => {
    expect(said.flatMap(({ others }) => others)).toEqual([])
    expect(Object.keys(english).length).toBeGreaterThan(1_500)
  })

  it('are all there in Spanish, with the placeholders of the English ones, and no others', () => {
    expect(differences(english, spanish, 'es')).toEqual([])
  })

  it('are translated in one place each', () => {
    const all = translations.flatMap((texts) => Object.keys(texts))
    expect(all.filter((text, index) => all.indexOf(text) !== index)).toEqual([])
  })

  it.each([
    'export const A = () => <b>Pay now</b>',
    'export const A = () => <B label="Order" />',
    'export const A = () => <b>{isPaid ? "Paid by card" : t("Open")}</b>',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    'export const a = (name) => `Sent to ${name}`',
    "export const rows = [['Name', name]]",
    "export const kinds = { scan: 'A scan' }",
  ])('are found where they are not wrapped: %s', (text) => {
    expect(unwrappedWords({ path: 'a.tsx', text })).toHaveLength(1)
  })

  it.each([
    'export const A = () => <b className="Pay now">{t("Pay now")}</b>',
    "export const a = () => useRead('/api/v1/orders', { params })",
    "export const isEnter = (key) => key === 'Enter'",
    "throw new Error('This page is for people who are signed in')",
  ])('are not confused with what nobody reads: %s', (text) => {
    expect(unwrappedWords({ path: 'a.tsx', text })).toEqual([])
  })
})
