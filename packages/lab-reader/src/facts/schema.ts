import { Scale } from '@kitlane/lab-reader/facts/finding-schema'
import { z } from 'zod'

export const Sex = z.enum(['M', 'F'])
export type Sex = z.infer<typeof Sex>

export const Category = z.enum([
  'metabolic',
  'nutritional',
  'heart',
  'hormonal',
  'inflammation',
  'thyroid',
  'liver',
  'kidney',
  'electrolytes',
  'blood_count',
  'coagulation',
  'immune',
  'infections',
  'allergy',
  'tumour',
  'urine',
  'stool',
])
export type Category = z.infer<typeof Category>

/** What a category is called in a report. The order is the order of a report's axes. */
export const categoryLabels: Record<Category, string> = {
  metabolic: 'Metabolic Health',
  nutritional: 'Nutritional Health',
  heart: 'Heart Health',
  hormonal: 'Hormonal Health',
  inflammation: 'Inflammation',
  thyroid: 'Thyroid Health',
  liver: 'Liver Health',
  kidney: 'Kidney Health',
  electrolytes: 'Electrolytes',
  blood_count: 'Blood Count',
  coagulation: 'Coagulation',
  immune: 'Immune System',
  infections: 'Infections',
  allergy: 'Allergies',
  tumour: 'Tumour Markers',
  urine: 'Urine',
  stool: 'Stool',
}

export const Interval = z
  .object({
    low: z.number().nullable(),
    high: z.number().nullable(),
    lowExclusive: z.boolean().optional().describe('A value equal to `low` is outside.'),
    highExclusive: z.boolean().optional().describe('A value equal to `high` is outside.'),
  })
  .meta({
    id: 'RangeBounds',
    description: 'Bounds in the unit of the biomarker; null is no limit on that side. A bound itself lies inside.',
  })
export type Interval = z.infer<typeof Interval>

const source = z.string().min(1).describe('Where the range comes from, such as guideline:ADA or wellness-convention.')
const SexRange = z.object({ source, M: Interval.optional(), F: Interval.optional() })

const AgeBand = Interval.extend({ minAge: z.int(), maxAge: z.int() })
export const Phase = z.enum(['follicular', 'ovulation', 'luteal', 'postmenopausal'])
export type Phase = z.infer<typeof Phase>

const Tier = Interval.extend({ name: z.string() })
export type Tier = z.infer<typeof Tier>

const Conversion = z.object({
  unit: z.string(),
  factor: z.number().positive(),
  offset: z.number().optional(),
  basis: z.enum(['molar', 'scale', 'equivalence', 'charge', 'iu-standard', 'ngsp-ifcc-master-equation']),
  below: z.number().optional().describe('Only values below this are taken to be in this unit.'),
})
export type Conversion = z.infer<typeof Conversion>

export const CriticalLimit = z.object({
  minAge: z.int().optional().describe('In whole years, included; absent: from birth.'),
  maxAge: z.int().optional().describe('In whole years, included; absent: without end.'),
  sex: Sex.optional().describe('Absent: for both.'),
  unit: z.string().describe('UCUM.'),
  low: z.number().nullable().describe('A value at a limit is critical.'),
  high: z.number().nullable(),
  source: z.string(),
})
export type CriticalLimit = z.infer<typeof CriticalLimit>

export const FormulaName = z.enum([
  'ratio',
  'difference',
  'percentOf',
  'eag',
  'homaIr',
  'friedewaldLdl',
  'friedewaldVldl',
  'vermeulen',
  'freeTestosteronePercent',
  'freeAndrogenIndex',
  'testosteroneCortisol',
  'albuminGlobulin',
  'ckdEpi2021',
])
export type FormulaName = z.infer<typeof FormulaName>

const Derivation = z.object({
  formula: FormulaName.describe('The function that computes it from `inputs`, in that order.'),
  expression: z.string().describe('The same formula for people to read.'),
  inputs: z.array(z.string()),
  measurable: z.boolean().describe('True when laboratories also measure it themselves.'),
  source: z.string(),
  validWhen: z.string().optional(),
})

export const Biomarker = z.object({
  id: z.string(),
  label: z.string(),
  shortLabel: z.string(),
  simpleLabel: z.string().describe('The name in everyday words.'),
  category: Category,
  loinc: z.string().optional().describe('The preferred LOINC code.'),
  loincAlternates: z.array(z.string()).describe('The same quantity by another or an unnamed method.'),
  loincWholeBlood: z
    .array(z.string())
    .describe('The same component in whole blood; the ranges are for serum or plasma.'),
  aliases: z.array(z.string()),
  specimens: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('What it may be measured in; anything else waits for a person. Absent: blood, serum or plasma.'),
  unit: z.string().describe('UCUM unit in which results and ranges are kept.'),
  displayUnit: z.string(),
  inWords: z.string().optional().describe('The biomarker that its name means where the result is words or steps.'),
  scale: Scale.optional().describe('How results are given where they are not plain numbers; absent: numbers.'),
  decimals: z
    .int()
    .min(0)
    .max(6)
    .describe('The least that values are rounded to when they are shown; they are compared unrounded.'),
  direction: z.enum(['lower', 'higher', 'range']).describe('Which is better; `range` means that both ends matter.'),
  sexes: z.array(Sex).min(1).describe('Whom the test is meant for.'),
  reference: SexRange.optional().describe('The reference interval by sex; a missing sex gets no verdict.'),
  optimal: SexRange.optional().describe('A narrower zone. One that is a wellness convention is no medical limit.'),
  ageBands: z.object({ source, M: z.array(AgeBand).optional(), F: z.array(AgeBand).optional() }).optional(),
  phases: z.object({ source, F: z.array(Interval.extend({ phase: Phase })) }).optional(),
  tiers: z.array(Tier).optional().describe('Guideline steps, from which the score beyond the limit is taken.'),
  plausible: z
    .object({ min: z.number(), max: z.number() })
    .describe('Outside is a unit or decimal error or a spoilt specimen: a person must look at it.'),
  criticalLimits: z
    .array(CriticalLimit)
    .optional()
    .describe('Beyond them a person is called at once, whether or not a laboratory director signed them.'),
  molarMass: z.number().optional().describe('g/mol'),
  conversions: z.array(Conversion).describe('value in `unit` of the biomarker = value * factor + offset'),
  derived: Derivation.optional(),
  flags: z.array(
    z.enum([
      'age_dependent',
      'assay_dependent',
      'fasting_required',
      'hemolysis_sensitive',
      'no_mass_molar_conversion',
      'phase_dependent',
      'prefer_lab_reference',
      'time_of_day',
      'unstable_delayed_separation',
    ]),
  ),
  confidence: z.enum(['high', 'medium', 'low']).describe('How sure the draft is of this range.'),
  checked: z.array(z.string()).describe('What the range, code or factor was compared with; empty means nothing.'),
  note: z.string().optional(),
})
export type Biomarker = z.infer<typeof Biomarker>

const SpecimenError = z.object({
  caution: z.array(z.string()).describe('Biomarkers whose result is shown with a warning.'),
  source: z.string().optional().describe('Where it was published that these are changed.'),
})

export const Catalogue = z.object({
  status: z.string().describe('How far the ranges may be relied on.'),
  labParameterErrors: z.object({
    HEMOLYSIS: SpecimenError,
    LIPEMIA: SpecimenError,
    ICTERUS: SpecimenError,
    DELAYED_SAMPLE_DELIVERY: SpecimenError,
  }),
  biomarkers: z.array(Biomarker),
})
export type Catalogue = z.infer<typeof Catalogue>

export const Ranges = z.object({
  optimal: Interval.nullable(),
  good: z.array(Interval).describe('The parts of the reference interval next to optimal, lower part first.'),
  fair: z.array(Interval).describe('Up to 25 % outside the reference interval, lower part first.'),
  inRange: Interval.nullable().describe('The reference interval.'),
  source: z.enum(['lab', 'phase', 'age', 'sex', 'union', 'none']),
})
export type Ranges = z.infer<typeof Ranges>
