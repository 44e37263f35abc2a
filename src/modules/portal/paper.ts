import { DEFAULT_COLOR } from '@kitlane/display/color'
import type { Translator } from '../../domain/translations/translator.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { Brand } from '../emails/layout.ts'
import { selectBrand } from '../emails/queries.ts'

/** What a page says its words in. */
export interface Speech {
  t: Translator
  /** What the address of the page asks for, without the language: a link to another language keeps it. */
  query: Readonly<Record<string, string>>
}

/** The letterhead of a page: the business's brand, whether its realm is a sandbox, and the language. */
export interface Paper extends Brand, Speech {
  isTest: boolean
  /** Business and mode, as the address of the app names them; null where it belongs to none. */
  app: string | null
}

export async function paperOf(tx: Tx, speech: Speech): Promise<Paper> {
  return {
    ...(await selectBrand(tx)),
    isTest: tx.realm.mode === 'sandbox',
    app: `${tx.realm.businessId}/${tx.realm.mode}`,
    ...speech,
  }
}

/** Where a page stands that belongs to no business. */
export const neutralPaper = (speech: Speech): Paper => ({
  name: '',
  color: null,
  logoUrl: null,
  contactEmail: null,
  isTest: false,
  app: null,
  ...speech,
})

/** `rrggbb` */
export const colorOf = ({ color }: Pick<Paper, 'color'>): string => color?.slice(1) ?? DEFAULT_COLOR

/** The address of an icon of a business. */
export const iconPath = (paper: Pick<Paper, 'color'>, file: 'icon.svg' | '192.png' | '512.png'): string =>
  `/pages/icons/${colorOf(paper)}/${file}`
