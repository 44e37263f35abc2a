import { z } from 'zod'
import { Observation, Patient } from '../parsed.ts'

/** In parts of the page's width and height, from the top left. */
export const Crop = z.object({ page: z.int(), x: z.number(), y: z.number(), w: z.number(), h: z.number() })
export type Crop = z.infer<typeof Crop>

export const FoundRow = z.object({
  observation: Observation,
  isLoose: z.boolean().describe('It is in no table: it counts only if its name is known.'),
  confidence: z.number().optional().describe('0 to 100; absent where the text did not have to be recognised.'),
  crop: Crop.optional(),
  secondReading: z.string().optional().describe('The number, read once more from a larger picture of it alone.'),
})
export type FoundRow = z.infer<typeof FoundRow>

export const SheetHead = z.object({
  collectedDate: z.string().optional(),
  resultedDate: z.string().optional(),
  patient: Patient.optional(),
})
export type SheetHead = z.infer<typeof SheetHead>

/** Why a part of a file was not read. */
const Shortage = z.enum(['pages', 'time', 'nothing'])

/** What was recognised in a file that a person must read. */
export const RecognisedFile = z.object({
  totalPages: z.int(),
  pages: z.array(z.object({ number: z.int(), width: z.int(), height: z.int(), png: z.string().describe('base64') })),
  lines: z.array(z.object({ page: z.int(), text: z.string(), confidence: z.number().optional() })),
  rows: z.array(FoundRow),
  head: SheetHead,
  shortages: z.array(Shortage),
})
export type RecognisedFile = z.infer<typeof RecognisedFile>
