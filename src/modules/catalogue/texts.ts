import { AppError } from '../../domain/errors.ts'
import type { Queries, SystemTx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { publicKitType } from './kit-type.ts'
import { selectKitTypes, selectUnknownBiomarkers } from './queries.ts'
import { insertTextVersion, type Subject, selectTextsOf, selectTextVersions, type TextVersion } from './text-queries.ts'
import type { BiomarkerText, PanelText } from './text-schema.ts'

interface Texts {
  biomarker: BiomarkerText
  panel: PanelText
}

/** Every version of a text, newest first; none where there is no text. @throws BIOMARKER_NOT_FOUND, PANEL_NOT_FOUND */
export async function textVersions<S extends Subject>(
  tx: SystemTx,
  subject: S,
  id: string,
): Promise<TextVersion<Texts[S]>[]> {
  await mustExist(tx, subject, id)
  return selectTextVersions(tx, subject, id)
}

/**
 * Writes a text as a new version with a reason. Reports keep the version that was there when they were judged.
 * @throws BIOMARKER_NOT_FOUND, PANEL_NOT_FOUND, VALIDATION_FAILED
 */
export async function writeText<S extends Subject>(
  tx: SystemTx,
  subject: S,
  id: string,
  { text, reason }: { text: Texts[S]; reason: string },
): Promise<TextVersion<Texts[S]>> {
  const [current] = await textVersions(tx, subject, id)
  const next = { version: (current?.version ?? 0) + 1, reason, createdDate: tx.now, text }
  if (!(await insertTextVersion(tx, subject, id, next))) {
    throw new AppError('VALIDATION_FAILED', 'Somebody else has just changed this text; look again')
  }
  const objectId = subject === 'panel' ? publicKitType(id) : id
  await audit.recordSystem(tx, [
    { action: `${subject}.text_changed`, objectType: subject, objectId, details: { version: next.version } },
  ])
  return next
}

/** How the sample of a panel is taken, as the catalogue says it now; undefined where it says nothing. */
export async function panelText(tx: Queries, kitType: string): Promise<PanelText | undefined> {
  const [newest] = await selectTextVersions<PanelText>(tx, 'panel', kitType)
  return newest?.text
}

/** The texts of biomarkers in the versions that results were judged with, by biomarker. */
export async function textsOf(
  tx: Queries,
  entries: readonly { id: string; textVersion?: number | undefined }[],
): Promise<ReadonlyMap<string, BiomarkerText>> {
  const wanted = entries.flatMap(({ id, textVersion: version }) => (version === undefined ? [] : [{ id, version }]))
  if (wanted.length === 0) return new Map()
  const found = await selectTextsOf<BiomarkerText>(tx, wanted)
  return new Map(found.map(({ id, text }) => [id, text]))
}

async function mustExist(tx: SystemTx, subject: Subject, id: string): Promise<void> {
  if (subject === 'biomarker') {
    const unknown = await selectUnknownBiomarkers(tx, [id])
    if (unknown.length > 0) throw new AppError('BIOMARKER_NOT_FOUND', 'There is no such biomarker')
  } else if (!(await selectKitTypes(tx)).includes(id)) throw new AppError('PANEL_NOT_FOUND', 'There is no such panel')
}
