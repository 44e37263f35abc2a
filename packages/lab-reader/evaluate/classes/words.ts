import type { Random } from '../../../../prove/random.ts'
import { type Language, type Measured, print } from '../facts.ts'
import type { Expected } from '../truth.ts'

export const titles = ['COMPREHENSIVE METABOLIC PANEL', 'Lipid Panel', 'CHEMISTRY', 'Thyroid Panel', 'Blood tests']

type Heading = Record<'name' | 'value' | 'flag' | 'unit' | 'range', string>

const inLanguages: Record<Language, Record<keyof Heading, readonly string[]>> = {
  en: {
    name: ['Test', 'Test Name', 'Analyte', 'Component', 'Tests'],
    value: ['Result', 'Results', 'Value', 'Your Value'],
    flag: ['Flag', 'Flags', 'Abnormal'],
    unit: ['Units', 'Unit'],
    range: ['Reference Range', 'Reference Interval', 'Normal Range', 'Expected Range'],
  },
  de: {
    name: ['Untersuchung', 'Analyse', 'Parameter'],
    value: ['Ergebnis', 'Messwert', 'Wert'],
    flag: ['Bew.', 'Markierung', 'Hinweis'],
    unit: ['Einheit'],
    range: ['Referenzbereich', 'Normbereich', 'Normalbereich'],
  },
  fr: {
    name: ['Analyse', 'Examen', 'Paramètre'],
    value: ['Résultat', 'Valeur'],
    flag: ['Ind.', 'Alerte'],
    unit: ['Unité', 'Unités'],
    range: ['Valeurs de référence', 'Intervalle de référence', 'Normes'],
  },
  es: {
    name: ['Prueba', 'Análisis', 'Determinación'],
    value: ['Resultado', 'Valor'],
    flag: ['Ind.', 'Alerta'],
    unit: ['Unidades', 'Unidad'],
    range: ['Valores de referencia', 'Intervalo de referencia', 'Rango de referencia'],
  },
  it: {
    name: ['Esame', 'Analisi'],
    value: ['Risultato', 'Esito', 'Valore'],
    flag: ['Segn.', 'Flag'],
    unit: ['Unità', 'U.M.', 'Unità di misura'],
    range: ['Valori di riferimento', 'Intervallo di riferimento', 'Valori normali'],
  },
  da: {
    name: ['Analyse', 'Undersøgelse'],
    value: ['Resultat', 'Svar'],
    flag: ['Flag', 'Mærke'],
    unit: ['Enhed'],
    range: ['Referenceinterval', 'Referenceområde'],
  },
}

/** A heading for each column of a table of results. */
export function headings(random: Random, language: Language = 'en'): Heading {
  const words = inLanguages[language]
  return {
    name: random.pick(words.name),
    value: random.pick(words.value),
    flag: random.pick(words.flag),
    unit: random.pick(words.unit),
    range: random.pick(words.range),
  }
}

/** A row whose value is printed in a way that is hard to read, and what a reader says of it. */
export function oddRow(random: Random, one: Measured): { cells: { value: string; flag?: string }; says: Expected } {
  const { fact, value } = one
  const text = print(value, fact.decimals)
  const says = (printed: string, more: Partial<Expected & { as: 'result' }> = {}): Expected => ({
    as: 'result',
    biomarkerId: fact.id,
    text: printed,
    value,
    unit: fact.unit,
    isCertain: true,
    ...more,
  })
  const waits = (printed: string): Expected => ({ as: 'wait', text: printed, name: one.name })
  const cases: (() => { cells: { value: string; flag?: string }; says: Expected })[] = [
    () => ({ cells: { value: `${text}*` }, says: says(text) }),
    () => ({ cells: { value: `${text} *` }, says: says(text) }),
    () => ({
      cells: { value: `${one.flag === 'L' ? '↓' : '↑'} ${text}` },
      says: says(text, { isCertain: one.flag !== '' }),
    }),
    () => ({ cells: { value: `${text} ${one.flag || 'N'}` }, says: says(text) }),
    () => ({ cells: { value: `<${text}` }, says: says(`<${text}`, { comparator: '<' }) }),
    () => ({ cells: { value: `> ${text}` }, says: says(`> ${text}`, { comparator: '>' }) }),
    () => ({ cells: { value: `≥${text}` }, says: says(`≥${text}`, { comparator: '>=' }) }),
    () => ({
      cells: { value: text.includes('.') ? text.replace('.', ',') : `${text},0` },
      says: says(text.includes('.') ? text.replace('.', ',') : `${text},0`, { isCertain: false }),
    }),
    () => ({ cells: { value: `${text}-${print(value * 1.2, fact.decimals)}` }, says: waits(text) }),
    () => ({ cells: { value: random.pick(['See note', 'See comment', 'Not reported']) }, says: waits('') }),
    () => ({
      cells: {
        value: random.pick([
          'Hemolyzed',
          'Canceled',
          'CANCELLED',
          'Specimen hemolyzed',
          'Quantity not sufficient',
          'TNP',
          'Not performed',
          'Test not performed',
        ]),
      },
      says: waits(''),
    }),
    () => ({ cells: { value: random.pick(['Pending', 'In progress', 'To follow']) }, says: waits('') }),
    () => ({ cells: { value: `${text} (revised)` }, says: says(text, { isCertain: false }) }),
    () => ({ cells: { value: `1:${random.pick([40, 80, 160, 320])}` }, says: waits('1:') }),
  ]
  return random.pick(cases)()
}

/** A result that is no plain number, and what a reader says of it. */
interface Odd {
  name: string
  text: string
  unit: string
  says: Expected
}

/** Results of tests that give no number; those that the catalogue lacks wait. */
export function odd(random: Random): Odd[] {
  const waits = (name: string, text: string): Odd => ({ name, text, unit: '', says: { as: 'wait', text, name } })
  const finds = (biomarkerId: string, name: string, text: string, value: string): Odd => ({
    ...{ name, text, unit: '' },
    says: { as: 'finding', biomarkerId, text, name, value, isCertain: true },
  })
  const titre = (text: string, value: number, comparator?: '<'): Odd => ({
    ...{ name: 'ANA Titer', text, unit: '' },
    says: {
      ...{ as: 'result', biomarkerId: 'ana_titre', text, value, unit: '{titer}', isCertain: true },
      ...(comparator && { comparator }),
    },
  })
  const all = [
    random.pick([titre('1:320', 320), titre('<1:40', 40, '<'), titre('1:80', 80)]),
    finds('rubella_igg', 'Rubella IgG', 'Immune', 'positive'),
    finds('hbsag', 'Hepatitis B surface antigen', 'Non-reactive', 'negative'),
    finds('hiv_1_2_antibody', 'HIV 1/2 antibody', 'Reactive', 'positive'),
    waits('Mycobacterium tuberculosis PCR', 'Detected'),
    random.pick([
      finds('sars_cov_2_rna', 'SARS-CoV-2 RNA', 'Not detected', 'negative'),
      finds('sars_cov_2_rna', 'SARS-CoV-2 RNA', 'DETECTED', 'positive'),
      finds('sars_cov_2_rna', 'SARS-CoV-2 RNA', 'Indeterminate', 'indeterminate'),
    ]),
    random.pick([
      finds('hiv_ag_ab', 'HIV Ag/Ab', 'Reactive', 'positive'),
      finds('hiv_ag_ab', 'HIV Ag/Ab', 'NON-REACTIVE', 'negative'),
    ]),
    random.pick([
      finds('urine_protein_strip', 'Protein, urine', 'Trace', 'trace'),
      finds('urine_protein_strip', 'Protein, urine', '2+', '2+'),
      finds('urine_protein_strip', 'Protein, urine', '+++', '3+'),
      finds('urine_protein_strip', 'Protein, urine', 'Negative', 'negative'),
      waits('Protein, urine', 'See note'),
    ]),
    waits('Ketones', '++'),
    waits('Blood group', 'A Rh positive'),
    waits('Organism', 'Escherichia coli'),
  ]
  return all.filter(() => random.between(0, 2) === 0)
}
