import { z } from 'zod'
import { text } from '../../platform/http/fields.ts'

const origin = {
  source: text(400).describe('Where the facts come from, to look them up.'),
  reviewer: text(200).nullable().describe('The clinician who reviewed this text; null: nobody has yet.'),
}

/** What a person reads beside a result. */
export const BiomarkerText = z
  .object({
    what: text(600).describe('What it is.'),
    moves: text(600).describe('What moves it, harmless things first.'),
    ask: z.array(text(300)).max(5).describe('What to ask a doctor where it is outside.'),
    ...origin,
  })
  .meta({ id: 'BiomarkerText' })
export type BiomarkerText = z.infer<typeof BiomarkerText>

const pictures = ['leaflet', 'wash', 'sample', 'label', 'post', 'none'] as const

/** How the sample of a panel is taken. */
export const PanelText = z
  .object({
    steps: z
      .array(
        z.object({
          picture: z.enum(pictures).describe('The drawing beside it.'),
          text: text(400),
        }),
      )
      .min(1)
      .max(12)
      .describe('In the order in which they are done.'),
    ...origin,
  })
  .meta({ id: 'PanelText' })
export type PanelText = z.infer<typeof PanelText>

/** As the catalogue keeps it: with the number of its version. */
export const CurrentBiomarkerText = BiomarkerText.extend({ version: z.int().describe('Of the text, from 1.') }).meta({
  id: 'CurrentBiomarkerText',
})
export type CurrentBiomarkerText = z.infer<typeof CurrentBiomarkerText>

export const CatalogueTexts = z.object({
  biomarkers: z.record(z.string(), BiomarkerText),
  panels: z.record(z.string(), PanelText),
})
