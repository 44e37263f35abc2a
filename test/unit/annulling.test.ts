import { annuls } from '@kitlane/lab-reader/parse/annulling'
import { asWritten } from '@kitlane/lab-reader/parse/annulling-phrases'
import { inPlainLetters } from '@kitlane/lab-reader/parse/annulling-plain-phrases'
import { describe, expect, test } from 'vitest'

describe('a note of a laboratory says that a result may not be used', () => {
  test.each([
    'Reported in error. See corrected report.',
    'Result released by mistake',
    'Name on tube does not match requisition',
    "Patient ID on label doesn't agree with the order",
    'Specimen/requisition mismatch',
    'Labeling discrepancy',
    'Sample contaminated with IV fluid',
    'Possible contamination from IV line',
    'Sample may be contaminated with saline',
    'EDTA contamination suspected',
    'Drawn from IV arm',
    'Result questionable, suggest repeat',
    'Specimen integrity compromised',
    'Recollect requested',
    'Recollection recommended',
    'Please send a new sample',
    'New specimen required',
    'Please repeat',
    'Result questionable, repeat if clinically indicated',
    'Clotted',
    'Specimen clotted; platelet count affected',
    'Platelet clumps present, count not accurate',
    'Fibrin strands noted',
    'Analyzer calibration out of control during this run',
    'QC failed for this run',
    'Reagent lot expired',
    'Sample 6 days old on receipt, potassium unreliable',
    'Sample 6 days old… unreliable',
    'Specimen too old for testing',
    'Quantity not sufficient; result estimated',
    'Value estimated',
    'QNS for repeat analysis',
    'Tube underfilled',
    'Specimen received thawed',
    'Wrong anticoagulant',
    'Improper storage temperature',
    'Muestra hemolizada, no valorable',
    'Fehlmessung',
    'Monster verwisseld, uitslag vervallen',
    'Prøven er forvekslet',
    'Drawn above IV line',
    'Result cannot be interpreted',
    'Specimen was not mixed up. Sample clotted',
    'Résultat ininterprétable, prélèvement à renouveler',
    'Échantillon coagulé',
    'Résultat douteux',
    'Identité sur le tube ne correspond pas',
    'Resultado no válido, repetir la extracción',
    'Muestra coagulada',
    'Muestra insuficiente',
    'Probe geronnen',
    'Ergebnis nicht beurteilbar, bitte neue Probe',
    'Wert fraglich, Wiederholung erbeten',
    'Zu wenig Material',
    'Namen auf Röhrchen und Schein stimmen nicht überein',
    'Campione coagulato, ripetere il prelievo',
    'Risultato non attendibile',
    'Prøven er koaguleret, ny prøve ønskes',
    'Specimen clotted and will be recollected',
    'Please disregard this result as a corrected one will be sent',
    'RC',
    'CLOT',
    'Not performed',
    'Not performed - sample clotted',
    'Test not performed: quantity not sufficient',
    'Cancelled',
    'Withdrawn',
    'Result pending',
    'Result to follow',
    'Invalid',
    'Error in analysis',
    'Stability exceeded',
    'Résultat annulé',
    'Material nicht ausreichend',
    'Falsche Probe',
    'Result is for a different patient',
    'Result of the mother',
    'Sample swap suspected',
    'Specimen received without label',
    'Amended: correct value 5.2 g/dL',
    'Corrected result: 198',
    'Addendum: glucose should read 198',
  ])('%s', (note) => {
    expect(annuls(note)).toBe(true)
  })
})

describe('an ordinary note annuls nothing', () => {
  test.each([
    'Previous sample haemolysed',
    'Previous specimen clotted; recollected',
    'Previous result reported in error, this is the corrected value',
    'Repeat in 3 months',
    'Suggest repeat testing in 6 to 8 weeks',
    'Repeat testing recommended to confirm the diagnosis of diabetes',
    'Please repeat fasting',
    'Recollect if clinically indicated',
    'If the sample is contaminated, results may be unreliable',
    'Contamination with EDTA can cause low calcium',
    'Results may be unreliable when the specimen is lipemic',
    'No clots seen',
    'Not clotted',
    'No contamination suspected',
    'Contamination unlikely',
    'A D-dimer below 500 ng/mL makes blood clots unlikely',
    'Reference range for fasting adults: 70-99 mg/dL',
    'Values above 126 mg/dL on two occasions are diagnostic of diabetes',
    'Result of uncertain significance',
    'This test was developed and its performance characteristics determined by the laboratory',
    'eGFR is an estimated value, calculated with CKD-EPI 2021',
    'Verified by repeat analysis',
    'Corrected report',
    'Sample received at room temperature',
    'Interpret with the clinical picture',
    'Kontrolle in 3 Monaten empfohlen',
    'Contrôle conseillé dans 3 mois',
    'Control en 3 meses',
    'Keine Gerinnsel',
    'Do not use for diagnosis of anemia in pregnancy',
    'Quality control acceptable',
    'Not tested for pregnancy',
    'Pending clinical correlation',
    'Invalid if older than 3 days',
    'Corrected for age',
  ])('%s', (note) => {
    expect(annuls(note)).toBe(false)
  })
})

test('each phrase that annuls is one line, in its language and below what it means', () => {
  for (const table of [asWritten, inPlainLetters]) {
    const lines = table.trim().split('\n')
    expect(
      lines.filter(
        (line) => !/^(?:# \p{Ll}[^:]+| {2}(?:en|de|fr|es|it|da|nl|sv|pt|not behind|not before): \S.*)$/u.test(line),
      ),
    ).toEqual([])
    const phrases = lines.filter((line) => !line.startsWith('#'))
    expect(phrases.filter((line, at) => phrases.indexOf(line) !== at)).toEqual([])
  }
})
