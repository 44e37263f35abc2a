// SNOMED CT: each code means just what `is` says. `group`: what texts of that group of specimens.json mean at least.
const codes = [
  { is: 'urine', code: '122575003', display: 'Urine specimen', group: 'urine' },
  { is: 'serum', code: '119364003', display: 'Serum specimen', group: 'serum' },
  { is: 'plasma', code: '119361006', display: 'Plasma specimen', group: 'plasma' },
  { is: 'blood', code: '119297000', display: 'Blood specimen', group: 'blood' },
  { is: 'whole blood', code: '119297000', display: 'Blood specimen' },
  { is: 'venous blood', code: '122555007', display: 'Venous blood specimen' },
  { is: 'capillary blood', code: '122554006', display: 'Capillary blood specimen', group: 'capillary_blood' },
  { is: 'dried blood spot', code: '440500007', display: 'Dried blood spot specimen', group: 'dried_blood' },
  { is: 'saliva', code: '119342007', display: 'Saliva specimen', group: 'saliva' },
  { is: 'stool', code: '119339001', display: 'Stool specimen', group: 'stool' },
  { is: 'sputum', code: '119334006', display: 'Sputum specimen', group: 'sputum' },
  { is: 'semen', code: '119349003', display: 'Semen specimen', group: 'semen' },
  { is: 'cerebrospinal fluid', code: '258450006', display: 'Cerebrospinal fluid specimen', group: 'csf' },
  { is: 'vaginal swab', code: '258520000', display: 'Vaginal swab' },
  { is: 'urethral swab', code: '258530009', display: 'Urethral swab' },
  { is: 'rectal swab', code: '258528007', display: 'Rectal swab' },
  { is: 'throat swab', code: '258529004', display: 'Throat swab' },
  { is: 'nasopharyngeal swab', code: '258500001', display: 'Nasopharyngeal swab' },
  { is: 'oropharyngeal swab', code: '461911000124106', display: 'Oropharyngeal swab' },
] as const

type SpecimenName = (typeof codes)[number]['is']

export const specimenCodes: readonly { is: SpecimenName; code: string; display: string; group?: string }[] = codes

/** What a person may say was taken. */
export const specimenNames: readonly SpecimenName[] = codes.map(({ is }) => is)
