import { normaliseName } from './match.ts'
import { sameWord } from './name-words.ts'
import type { Biomarker } from './schema.ts'

/** What laboratories call tests of infections, without words that say how it was looked for. */
const names: Record<string, string> = {
  hiv_ag_ab: 'hiv ag ab;hiv 1 2 ag ab;hiv 1+2 ag ab;hiv 1 hiv 2 ag ab;hiv combo;hiv ag ab combo;hiv 1 2 ag ab combo',
  hiv_1_2_antibody: 'hiv 1 2 ab;hiv 1+2 ab;hiv 1 hiv 2 ab',
  hiv_1_rna: 'hiv 1 genome',
  hbsag: 'hbsag;hbs ag;hepatitis b surface ag;hep b surface ag;hepatitis b surface ag hbsag',
  hepatitis_b_surface_antibody: 'hepatitis b surface ab hbs',
  hepatitis_b_core_antibody_total: 'hbc ab;hbcab;hepatitis b core ab;hep b core ab;hepatitis b core ab hbc',
  hepatitis_b_core_igm: 'hbc igm;hepatitis b core igm;hep b core igm',
  hepatitis_c_antibody: 'hcv ab;hepatitis c ab;hep c ab;hepatitis c ab hcv;hcv',
  hepatitis_c_rna: 'hcv genome;hepatitis c genome;hep c genome;hepatitis c hcv genome',
  hepatitis_a_igm: 'hav igm;hepatitis a igm;hep a igm',
  hepatitis_a_antibody_total: 'hav ab;hepatitis a ab;hep a ab',
  treponema_pallidum_antibody:
    'treponema pallidum ab;t pallidum ab;syphilis ab;treponemal ab;syphilis treponemal ab;syphilis treponema pallidum ab',
  reagin_antibody_syphilis_screen:
    'rpr;rapid reagin;vdrl;vdrl rpr;syphilis rpr;syphilis vdrl;rpr syphilis rapid reagin',
  rubella_igg: 'rubella igg;roteln igg',
  rubella_igm: 'rubella igm;roteln igm',
  // Not "rubeola" alone: it is rubella in Spanish and Portuguese.
  measles_igg: 'measles igg;measles rubeola igg;masern igg',
  mumps_igg: 'mumps igg',
  varicella_zoster_igg:
    'varicella igg;varicella zoster igg;vzv igg;varizellen igg;varicella zoster v igg;varicella zoster vzv igg',
  cytomegalovirus_igg: 'cmv igg;cytomegalovirus igg;cytomegalovirus cmv igg',
  cytomegalovirus_igm: 'cmv igm;cytomegalovirus igm;cytomegalovirus cmv igm',
  ebv_capsid_igg:
    'ebv vca igg;epstein barr vca igg;ebv viral capsid ag igg;ebv viral capsid ag vca igg;epstein barr viral capsid ag igg',
  ebv_capsid_igm:
    'ebv vca igm;epstein barr vca igm;ebv viral capsid ag igm;ebv viral capsid ag vca igm;epstein barr viral capsid ag igm',
  ebv_nuclear_antigen_igg:
    'ebna igg;ebna 1 igg;ebv ebna igg;ebv ebna 1 igg;epstein barr ebna igg;ebv nuclear ag igg;epstein barr nuclear ag igg',
  heterophile_antibody: 'monospot;mononucleosis;infectious mononucleosis;heterophile ab',
  herpes_simplex_1_igg: 'hsv 1 igg;herpes simplex 1 igg',
  herpes_simplex_2_igg: 'hsv 2 igg;herpes simplex 2 igg',
  parvovirus_b19_igg: 'parvovirus b19 igg;parvo b19 igg;parvovirus b 19 igg',
  parvovirus_b19_igm: 'parvovirus b19 igm;parvo b19 igm;parvovirus b 19 igm',
  toxoplasma_igg: 'toxoplasma igg;toxoplasma gondii igg;t gondii igg;toxoplasmosis igg',
  toxoplasma_igm: 'toxoplasma igm;toxoplasma gondii igm;t gondii igm;toxoplasmosis igm',
  dengue_igg: 'dengue igg',
  dengue_igm: 'dengue igm',
  dengue_ns1_antigen: 'dengue ns1;dengue ns1 ag',
  borrelia_burgdorferi_igg: 'lyme igg;lyme disease igg;borrelia igg;borrelia burgdorferi igg;borrelien igg',
  borrelia_burgdorferi_igm: 'lyme igm;lyme disease igm;borrelia igm;borrelia burgdorferi igm;borrelien igm',
  borrelia_burgdorferi_antibody: 'lyme ab;lyme disease ab;borrelia ab;borrelia burgdorferi ab',
  h_pylori_igg: 'h pylori igg;helicobacter pylori igg',
  plasmodium_falciparum_antigen: 'plasmodium falciparum ag;p falciparum ag',
  h_pylori_stool: 'h pylori ag stool;helicobacter pylori ag stool',
  occult_blood:
    'occult blood stool;occult blood fecal;occult blood faecal;occult blood immunochemical;occult blood immunochemical stool;occult blood immunochemical fecal;occult blood immunochemical faecal;fecal immunochemical fit;faecal immunochemical fit;fit stool;ifobt;ifobt stool;occult blood fit stool;occult blood ifobt stool;fecal occult blood fit;faecal occult blood fit;fecal occult blood ifobt',
  hpv: 'hpv genome high risk;hrhpv genome;hr hpv genome;human papilloma genome;human papilloma high risk genome;human papillomavirus genome;human papillomavirus high risk genome;human papillomavirus hpv high risk genome;human papilloma hpv genome',
  chlamydia: 'chlamydia trachomatis genome;c trachomatis genome;chlamydia genome',
  chlamydia_urine: 'chlamydia trachomatis urine;chlamydia urine',
  gonorrhoeae: 'neisseria gonorrhoeae genome;n gonorrhoeae genome;gonorrhea genome;gonorrhoea genome;gc genome',
  gonorrhoeae_urine: 'neisseria gonorrhoeae urine;gonorrhea urine;gonorrhoea urine',
  trichomonas_vaginalis: 'trichomonas vaginalis genome;t vaginalis genome;trichomonas genome;trich vag genome',
  mycoplasma_genitalium: 'mycoplasma genitalium;m genitalium;mycoplasma genitalium genome;m genitalium genome',
  sars_cov_2_rna:
    'sars cov 2 genome;covid 19 genome;sars cov 2 covid 19 genome;covid 19 sars cov 2 genome;sars coronavirus 2 genome',
}

/** How it was looked for, and words that say no more than that it was. */
const spare = new Set(
  'virus total tot screen screening test assay qualitative qual ql immunoassay ia eia elisa cmia clia eclia by in detection real time type specific spec generation gen 4th fourth serum plasma and dx suchtest cascade'.split(
    ' ',
  ),
)
const genome = new Set('dna rna rrna naa naat pcr tma rt nucleic amplification'.split(' '))
/** Where a swab is taken for an infection of the genitals. One of the throat or the rectum is another result. */
const genital = new Set(
  'vaginal vagina cervical endocervical cervix urogenital genital urethral urethra swab'.split(' '),
)
/** Names that may be of antibodies, a culture or a microscope, and are none where the place of a swab is named. */
const ofSwabs: Record<string, string> = {
  chlamydia: 'chlamydia trachomatis;c trachomatis;chlamydia',
  gonorrhoeae: 'neisseria gonorrhoeae;n gonorrhoeae;gonorrhea;gonorrhoea',
  trichomonas_vaginalis: 'trichomonas vaginalis;t vaginalis;trichomonas',
}
const ofGenitals = new Set([...Object.keys(ofSwabs), 'mycoplasma_genitalium'])
const plural = new Set(['antibodies', 'antikorper', 'antigens'])

function keyOf(name: string, left = spare): string {
  const words = normaliseName(name.replace(/\bwith reflex\b.*$|\bw\/? ?(?:rfx|refl)\b.*$/i, ' ')).split(' ')
  const told = words
    .map((word) => (plural.has(word) ? 'ab' : (sameWord.get(word) ?? word)))
    .map((word) => (word === 'anti' ? 'ab' : genome.has(word) ? 'genome' : word))
    .filter((word) => !left.has(word))
  const isOfClass = told.some((word) => /^ig[agm]$/.test(word))
  return [...new Set(told.filter((word) => !(isOfClass && word === 'ab')))].sort().join(' ')
}

const keysOf = (table: Record<string, string>) =>
  new Map(Object.entries(table).flatMap(([id, list]) => list.split(';').map((name) => [keyOf(name), id] as const)))
const known = keysOf(names)
const knownAtPlace = new Map([...known, ...keysOf(ofSwabs)])
const withoutPlace = new Set([...spare, ...genital])

/**
 * The test of an infection that a name means: all of its words are those of one of the names, but for how it was looked for, and for
 * where in the genitals a swab was taken.
 */
export function matchInfection(catalogue: readonly Biomarker[], name: string): Biomarker | undefined {
  const whole = keyOf(name)
  const bare = keyOf(name, withoutPlace)
  const atPlace = bare === whole ? undefined : knownAtPlace.get(bare)
  const id = known.get(whole) ?? (atPlace && ofGenitals.has(atPlace) ? atPlace : undefined)
  return id === undefined ? undefined : catalogue.find((one) => one.id === id)
}
