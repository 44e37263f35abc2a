import type { Format } from '../src/parse/parsed.ts'

/** What a reader who understands the document says of one line of it. */
export type Expected =
  | {
      as: 'result'
      biomarkerId: string
      /** The printed text, by which a kept observation is found again. */
      text: string
      value: number
      unit: string
      /** The unit by its code, where the document gives both. */
      ucum?: string
      comparator?: '<' | '<=' | '>=' | '>'
      /** False where the document leaves room for another reading: it may wait as well. */
      isCertain: boolean
    }
  /** A result that is a word, a step of a test strip or a text: `value` as the catalogue has it. */
  | { as: 'finding'; biomarkerId: string; text: string; name: string; value: string; isCertain: true }
  /** No reader could be sure, or it is nothing that may be published: it has to wait for a person. */
  | { as: 'wait'; text: string; name: string }

export interface Made {
  format: Format
  bytes: Uint8Array
  expected: Expected[]
  /** The whole document has to wait: it names several people. */
  waits?: boolean
  /** The day of collection that the document says for certain; null: none can be told. It counts as one line more. */
  day?: string | null
}

/** One class of documents: the same difficulty in many layouts and wordings. */
export interface DocumentClass {
  name: string
  /** Makes the document of a random source. */
  make(random: import('../../../prove/random.ts').Random): Promise<Made> | Made
}

export interface Score {
  right: number
  wrong: number
  waiting: number
  lost: number
  /** Of those with a certain answer: how many there are, and how many are right. */
  certain: number
  certainRight: number
  /** In words, for whoever looks at a seed. */
  faults: string[]
}

/** What a name of blood means below a title of urine. */
const inUrine: Readonly<Record<string, string>> = {
  glucose: 'glucose_urine',
  creatinine: 'creatinine_urine',
  uric_acid: 'uric_acid_urine',
  sodium: 'sodium_urine',
  potassium: 'potassium_urine',
  chloride: 'chloride_urine',
  calcium: 'calcium_urine',
  magnesium: 'magnesium_urine',
  phosphorus: 'phosphate_urine',
  albumin: 'albumin_urine',
  total_protein: 'protein_urine',
  amylase: 'amylase_urine',
  wbc: 'leukocytes_urine',
  rbc: 'erythrocytes_urine',
}
const isUrine =
  /^(?:specimen: )?(?:urin|harn|urines?|urinalysis|urinstatus|spontanurin|examen des urines|orina|análisis de orina|esame urine|urine chemistry)$/i

/** A result below the title of another specimen: that of urine, where it is one and its unit fits, and nothing else. */
export function belowTitle(
  title: string,
  one: { id: string; name: string; value: number; unit: string; text: string },
): Expected {
  const { id, name, value, unit, text } = one
  const isOfBlood = /serum|plasma|blood/i.test(name)
  const biomarkerId = isUrine.test(title) && !isOfBlood ? inUrine[id] : undefined
  return biomarkerId ? { as: 'result', biomarkerId, text, value, unit, isCertain: false } : { as: 'wait', text, name }
}
