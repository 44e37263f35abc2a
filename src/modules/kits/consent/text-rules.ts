/** A published text, without its words. */
export interface Published {
  id: string
  kitType: string | null
  language: string
  source: 'business' | 'operator'
}

/** What to show to whom. */
export interface Wanted {
  kitType?: string | undefined
  language: string
}

const FALLBACK_LANGUAGE = 'en'

/**
 * The text that is shown now. A business's own texts come before the operator's in any language: its words bind it. Then
 * the language asked for, English, any; then the panel's text, the one for all panels; then the newest. `texts`: newest first.
 */
export function chooseText<T extends Published>(texts: readonly T[], { kitType, language }: Wanted): T | undefined {
  const fits = texts.filter((text) => text.kitType === null || text.kitType === kitType)
  for (const source of ['business', 'operator'] as const) {
    const own = fits.filter((text) => text.source === source)
    for (const isRight of [isIn(language), isIn(FALLBACK_LANGUAGE), () => true]) {
      const matching = own.filter(isRight)
      const chosen = matching.find((text) => text.kitType !== null) ?? matching[0]
      if (chosen) return chosen
    }
  }
  return undefined
}

// en-GB is English where nothing nearer was published.
const isIn = (language: string) => (text: Published) =>
  text.language === language || text.language === language.split('-')[0]

/** The languages that a reader of a kit's text may choose from: those of the texts among which one is chosen. */
export function languagesOf(texts: readonly Published[], kitType: string): string[] {
  const fits = texts.filter((text) => text.kitType === null || text.kitType === kitType)
  const own = fits.filter(({ source }) => source === 'business')
  return [...new Set((own.length > 0 ? own : fits).map(({ language }) => language))].sort()
}

/** Whether it is the newest of its panel, language and source. `texts`: newest first. */
export const isCurrent = (texts: readonly Published[], one: Published): boolean =>
  texts.find(
    ({ kitType, language, source }) => kitType === one.kitType && language === one.language && source === one.source,
  )?.id === one.id

/** A piece of a text: a heading, a paragraph, or the items of a list. */
export type Block = { heading: string } | { paragraph: string } | { items: string[] }

/** A text in its pieces, each as plain text. Every character of it but the marks of headings and items is in one of them. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let isOpen = false
  for (const line of text.split('\n').map((one) => one.trim())) {
    const last = isOpen ? blocks.at(-1) : undefined
    isOpen = line !== ''
    if (line === '') continue
    if (line.startsWith('# ')) blocks.push({ heading: line.slice(2).trim() })
    else if (!line.startsWith('- ')) {
      if (last && 'paragraph' in last) last.paragraph += ` ${line}`
      else if (last && 'items' in last) last.items.push(`${last.items.pop()} ${line}`)
      else blocks.push({ paragraph: line })
    } else if (last && 'items' in last) last.items.push(line.slice(2).trim())
    else blocks.push({ items: [line.slice(2).trim()] })
  }
  return blocks
}
