import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { Queries, SystemTx, Tx } from '../../../platform/database/tx.ts'
import { refuse } from '../../../platform/http/validate.ts'
import * as audit from '../../audit/service.ts'
import { internalKitType, publicKitType } from '../../catalogue/kit-type.ts'
import { findPanel, panels, provisioned } from '../../catalogue/service.ts'
import type { ConsentText, NewConsentText } from './schema.ts'
import {
  insertDefaultText,
  insertText,
  selectDefaultTexts,
  selectText,
  selectTexts,
  type TextRow,
} from './text-queries.ts'
import { chooseText, isCurrent, languagesOf, type Wanted } from './text-rules.ts'

const PREFIX = 'cns'

/** Publishes a text of the business for all who agree from now on. Nothing ever changes it. @throws PANEL_NOT_FOUND */
export async function publishText(tx: Tx, input: NewConsentText): Promise<ConsentText> {
  const text = newText(input)
  if (text.kitType !== null && !(await provisioned(tx)).some(({ kitType }) => kitType === text.kitType)) {
    throw noPanel()
  }
  await insertText(tx, text)
  await audit.record(tx, [entryOf(text)])
  return toShown({ ...text, source: 'business', publishedAt: tx.now }, true)
}

/** The same for the operator's text, which counts for every business without its own. @throws PANEL_NOT_FOUND */
export async function publishDefaultText(tx: SystemTx, input: NewConsentText): Promise<ConsentText> {
  const text = newText(input)
  if (text.kitType !== null && !(await panels(tx)).some(({ kitType }) => kitType === text.kitType)) throw noPanel()
  await insertDefaultText(tx, text)
  await audit.recordSystem(tx, [entryOf(text)])
  return toShown({ ...text, source: 'operator', publishedAt: tx.now }, true)
}

function newText({ kitType, language, text }: NewConsentText) {
  return {
    id: newOpaqueId(PREFIX),
    kitType: kitType === undefined ? null : internalKitType(kitType),
    language,
    body: text,
    wordsHash: sha256(text),
  }
}

const noPanel = () => new AppError('PANEL_NOT_FOUND', 'There is no such panel')

const entryOf = ({ id, kitType, language }: ReturnType<typeof newText>) => ({
  action: 'consent_text.published' as const,
  objectType: 'consent_text',
  objectId: id,
  details: { language, ...(kitType !== null && { kitType: publicKitType(kitType) }) },
})

/** Every text of the business and of the operator, newest first. */
export async function listTexts(tx: Tx): Promise<ConsentText[]> {
  return shownOf(await selectTexts(tx))
}

/** The operator's texts, newest first. */
export async function listDefaultTexts(tx: Queries): Promise<ConsentText[]> {
  return shownOf(await selectDefaultTexts(tx))
}

/** A text by its ID, current or not. @throws CONSENT_TEXT_NOT_FOUND */
export async function findText(tx: Tx, id: string): Promise<ConsentText> {
  const shown = (await listTexts(tx)).find((text) => text.id === id)
  if (!shown) throw new AppError('CONSENT_TEXT_NOT_FOUND', 'There is no such consent text')
  return shown
}

/** The text that is shown now, and the languages to choose from. @throws PANEL_NOT_FOUND */
export async function currentText(
  tx: Tx,
  { kitType, language }: Wanted,
): Promise<{ text: ConsentText; languages: string[] }> {
  const internal = kitType === undefined ? undefined : internalKitType(kitType)
  if (internal !== undefined) await findPanel(tx, internal)
  const texts = await selectTexts(tx)
  return {
    text: toShown(chosenOf(texts, { kitType: internal, language }), true),
    languages: languagesOf(texts, internal ?? ''),
  }
}

function chosenOf(texts: readonly TextRow[], wanted: Wanted): TextRow {
  const chosen = chooseText(texts, wanted)
  if (!chosen) throw new Error('there is no consent text: a migration inserts one')
  return chosen
}

/** What a consent names. */
export interface AgreedWords {
  version: string
  language?: string
  wordsHash?: Buffer
}

/**
 * The words that somebody agreed to: those of the version that they were shown, or the current ones if the caller names none.
 * A version that is not ours is the caller's own name for a text that it keeps. @throws VALIDATION_FAILED for a text of
 * another panel, and for one that does not exist
 */
export async function agreedWords(
  tx: Tx,
  kitType: string,
  { consentVersion, language }: { consentVersion?: string | undefined; language?: string | undefined },
): Promise<AgreedWords> {
  if (consentVersion === undefined) {
    return wordsOf(chosenOf(await selectTexts(tx), { kitType, language: language ?? 'en' }))
  }
  if (!consentVersion.startsWith(`${PREFIX}_`)) return { version: consentVersion, ...(language && { language }) }
  const text = await selectText(tx, consentVersion)
  const path = 'consentVersion'
  if (!text) refuse([{ message: 'There is no consent text with this ID', path }])
  if (text.kitType !== null && text.kitType !== kitType) {
    refuse([{ message: 'This consent text is for another panel', path }])
  }
  return wordsOf(text)
}

const wordsOf = ({ id, language, wordsHash }: TextRow): AgreedWords => ({ version: id, language, wordsHash })

const shownOf = (texts: readonly TextRow[]) => texts.map((text) => toShown(text, isCurrent(texts, text)))

const toShown = (text: TextRow, current: boolean): ConsentText => ({
  id: text.id,
  ...(text.kitType !== null && { kitType: publicKitType(text.kitType) }),
  language: text.language,
  text: text.body,
  sha256: text.wordsHash.toString('hex'),
  source: text.source,
  publishedDate: text.publishedAt.toISOString(),
  current,
})
