import { annuls } from '@kitlane/lab-reader/parse/annulling'
import { asWritten, inconclusive, ofThisPerson } from '@kitlane/lab-reader/parse/annulling-phrases'
import { inPlainLetters } from '@kitlane/lab-reader/parse/annulling-plain-phrases'
import { describe, expect, test } from 'vitest'

describe('a document that is made up says so', () => {
  test.each([
    ...[
      '# SAMPLE DATA FOR TRAINING ONLY - not results of a real person',
      'For demonstration purposes only',
      'SAMPLE REPORT',
    ],
    ...['SPECIMEN COPY', 'Test print', 'This report is a test', 'Dummy data', 'Simulated results', 'Training use only'],
    ...['Musterbefund', 'Nur für Schulungszwecke', 'Fiktive Daten', 'Keine echten Patientendaten', 'Testausdruck'],
    ...[
      'Données fictives',
      'Document de démonstration',
      'Datos ficticios',
      'Solo para formación',
      'Dati fittizi',
      'FAC-SIMILE',
    ],
    ...['Dados de teste', 'Apenas para demonstração', 'Voorbeeldrapport', 'Fictieve gegevens', 'Exempelrapport'],
    ...['Endast för utbildning', 'Kun til undervisning', 'Dane fikcyjne', 'Ukázková data', 'Esimerkkiraportti'],
    ...['Eğitim amaçlıdır', 'Демонстрационные данные', '示例数据', 'サンプルデータ', '예시 보고서'],
  ])('%s', (text) => {
    expect(annuls(text)).toBe(true)
  })

  test.each([
    ...[
      'Test report',
      'Your test results',
      'Ihr Testbericht',
      'Testergebnisse',
      'Sample data',
      'Sample results',
      'Specimen',
    ],
    ...[
      'Calls may be recorded for training purposes',
      'For educational purposes only',
      'Rapport de test',
      'Testuitslag',
    ],
    ...['Resultados de prueba', 'Patient: Mustermann, Erika', 'Paciente: Robin Example Data da coleta: 2026-03-11'],
    ...['No real change', 'Not a substitute for medical care', 'Special stain for demonstration of fungi'],
  ])('and an ordinary one does not: %s', (text) => {
    expect(annuls(text)).toBe(false)
  })
})

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
    'Contamination cannot be excluded',
    'Verunreinigung nicht ausgeschlossen',
    'Leucocytosis: in vitro glycolysis cannot be ruled out',
    'Serum not separated in time',
    'Potassium not valid',
    'Specimen grossly lipemic; result may be inaccurate',
    'Result questionable due to hemolysis',
    'Sample icteric, interpret with caution',
    'Sample exceeded stability',
    'Specimen received at incorrect temperature',
    'Tube type incorrect',
    'Wrong tube type received',
    'Patient identification could not be verified',
    'Please discard this result',
    'This result has been recalled',
    'Result retracted pending investigation',
    'Test invalidated by the laboratory',
    'Delta check failed - possible sample mix up',
    'Delta check failure',
    'Sample likely contaminated with IV fluid',
    'Drawn above IV',
    'Possible IV contamination',
    'Specimen leaked in transit',
    'Insufficient sample for repeat; original result not confirmed',
    'Result could not be confirmed',
    'Unable to confirm result',
    'Instrument error',
    'Hook effect suspected',
    'Macroprolactin present',
    'Heterophile antibody interference cannot be ruled out',
    'Cold agglutinins present',
    'RBC agglutination affects this result',
    'Lipemia interferes with this assay',
    'Fibrin interference',
    'Result obtained on expired reagent',
    'Kit expired',
    'Specimen frozen on receipt',
    'Sample thawed in transit',
    'Sample was not refrigerated',
    'Spun late',
    'Unspun sample received',
    'Sample labelled with a different name',
    'Surname differs from request',
    'DOB on tube differs',
    'Unlabelled tube',
    'Two different names on sample',
    'Not the patient’s sample',
    'Result belongs to patient 4471',
    'Ignore',
    'Do not report',
    'Not for reporting',
    'Test run',
    'Dummy result',
    'Demo data',
    'Placeholder',
    'Simulated result',
    'Result transcription error',
    'Typographical error',
    'Entered by mistake',
    'Units reported incorrectly',
    'Reported in wrong units',
    'Decimal error',
    'Nicht auswertbar',
    'Wert nicht verwertbar',
    'Ergebnis zurückgezogen',
    'Falscher Patient',
    'Gerinnsel',
    'Probe zu alt',
    'Résultat non interprétable',
    'Tube coagulé',
    'Erreur de patient',
    'Resultado no válido',
    'Paciente equivocado',
    'Campione coagulato',
    'Errore di paziente',
    'Potassium may be artefactually raised',
    'Patient takes high-dose biotin: assay interference possible',
    'Aggregates seen on film',
    'aggregati piastrinici',
    'Specimen received 5 days after collection, not suitable for potassium',
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
    'EDTA contamination was ruled out',
    'Collected with a glycolysis inhibitor',
    'eGFR not valid in pregnancy',
    'Cross-reactivity was reported in 2 patients',
    'PRELIMINARY RESULT - not verified',
    'Fasting sample',
    'Non-fasting',
    'Result confirmed by repeat',
    'Verified',
    'Calculated by Friedewald',
    'New method since 2025',
    'Reference range updated',
    'Reflex test performed',
    'Performed at Harbour Lab',
    'Critical value called to Dr. Reyes, read back',
    'Patient taking metformin',
    'See interpretive comment',
    'Age-adjusted reference interval',
    'Within expected range for age',
    'Consistent with iron deficiency',
    'Suggest repeat in 6 months',
    'Clinical correlation recommended',
    'Results should be interpreted in conjunction with clinical findings',
    'A normal result does not exclude disease',
    'Assay: Roche ECLIA',
    'Hemolysis index: 0',
    'No hemolysis',
    'Not hemolyzed',
    'Sample quality acceptable',
    'Borderline result; consider repeating in 3 months',
    'Values above 50 may indicate acute phase',
    'This test was developed by the laboratory and has not been cleared by the FDA',
    'eGFR calculated using CKD-EPI 2021',
    'Previous result: 4.5 on 01/02/2025',
    'Result rechecked',
    'Diluted 1:10 to bring in range',
    'Sample diluted',
    'Result reported after dilution',
    'Collected by venipuncture',
    'LDL calculated; not valid if triglycerides exceed 400',
    'Target: below 70',
    'Interference from biotin above 20 ng/mL may occur',
    'Interpret with caution in patients on dialysis',
    'Results obtained with different assay methods cannot be used interchangeably',
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

describe('a sentence that says that a tube held something else than its label annuls', () => {
  test.each([
    ...[
      'The ward informs us that this tube was filled with fluid from the abdominal drain.',
      'The serum tube contained urine',
      'Tube held pleural fluid',
      'The tube was mistakenly filled with saline',
      'Sample was taken from the drain',
      'The container held water instead of blood',
      'Specimen is not blood',
    ],
    ...[
      'Das Röhrchen enthielt Drainageflüssigkeit',
      'Das Serumröhrchen war mit Urin gefüllt',
      'Infusionslösung statt Blut',
    ],
    ...[
      'Le tube contenait du liquide d’ascite',
      'El tubo contenía líquido del drenaje',
      'Il tubo: acqua invece di sangue',
    ],
    ...[
      'La provetta conteneva liquido di drenaggio',
      'O tubo continha soro fisiológico',
      'De buis was gevuld met infuusvloeistof',
    ],
    ...[
      'Røret var fyldt med drænvæske',
      'Glasset inneholdt vann',
      'Röret innehöll koksalt',
      'Probówka zawierała płyn z drenu',
    ],
  ])('%s', (text) => {
    expect(annuls(text)).toBe(true)
  })

  test.each([
    'Tube filled to the line',
    'Serum gel tube',
    'Specimens: serum, first void urine',
    'First void urine was collected in the tube with the yellow cap',
    'Samples were taken at 08:10 and 08:25',
    'If the tube was filled with urine, please send another',
    'The tube was not filled with saline',
    'Tube: lithium heparin plasma',
  ])('and an ordinary one does not: %s', (text) => {
    expect(annuls(text)).toBe(false)
  })
})

describe('a sentence that wants a further sample before any conclusion, or sees tests contradict each other, annuls', () => {
  test.each([
    ...[
      'HIV: screening and confirmation do not agree.',
      'A further sample is needed before any conclusion.',
      'Before any conclusion is drawn a second sample should be tested',
      'Discordant results',
      'Screening and immunoblot results are conflicting',
    ],
    ...[
      'Vor einer abschließenden Beurteilung ist eine weitere Blutprobe nötig',
      'Suchtest und Bestätigungstest stimmen nicht überein',
    ],
    ...['Un nouveau prélèvement est nécessaire avant toute conclusion', 'Dépistage et confirmation discordants'],
    ...['Se precisa otra muestra antes de concluir', 'Serve un nuovo campione prima di ogni conclusione'],
    ...['É necessária nova amostra antes de qualquer conclusão', 'Een nieuw monster is nodig voor een conclusie'],
    ...['En ny prøve er nødvendig før konklusjon', 'Ett nytt prov behövs innan slutsats kan dras'],
  ])('%s', (text) => {
    expect(annuls(text)).toBe(true)
  })

  test.each([
    'A further sample in 3 months is recommended',
    'Interpret in the clinical context before any diagnosis',
    'No discordant results',
    'If screening and confirmation do not agree, a further sample is tested',
    'Results agree with the screening',
  ])('and an ordinary one does not: %s', (text) => {
    expect(annuls(text)).toBe(false)
  })
})

describe('a sentence that takes a value back, puts another number in its place or forbids its use annuls', () => {
  test.each([
    ...['The TSH above is withdrawn', 'Disregard TSH result', 'TSH has been removed from this report'],
    ...[
      'Der TSH-Wert auf Seite 1 wurde irrtümlich berichtet',
      'TSH wird zurückgezogen',
      'TSH bitte nicht berücksichtigen',
    ],
    ...['Korrektur: TSH 0,98 statt 9,84', 'TSH muss 0,98 mU/l lauten', 'Der Wert sollte nicht verwendet werden'],
    ...['La TSH a été rendue par erreur', 'Le résultat de la TSH est retiré', 'TSH : ne pas en tenir compte'],
    ...['La TSH se informó por error y se retira', 'No tener en cuenta la TSH', 'TSH: debe leerse 0,98'],
    ...['Il TSH è stato refertato per errore', 'Non tenere conto del TSH', 'Il valore non deve essere utilizzato'],
    ...['De TSH is hierbij ingetrokken', 'TSH abusievelijk gerapporteerd', 'TSH moet zijn 0,98'],
    ...['TSH rapporterades felaktigt', 'TSH återkallas', 'Värdet bör inte användas', 'Provmängden räckte inte till'],
    ...['TSH er trukket tilbake', 'Se bort fra TSH', 'TSH er rapportert ved en feil', 'TSH skal være 0,98'],
    ...['A TSH foi emitida por engano', 'Desconsiderar o valor de TSH', 'TSH wydano omyłkowo', 'TSH został wycofany'],
    ...['TSH byl vydán omylem', 'TSH on peruttu', 'TSH sonucu iptal edilmiştir', 'Quantité insuffisante'],
  ])('%s', (text) => {
    expect(annuls(text)).toBe(true)
  })

  test.each([
    ...[
      'Blood was withdrawn from the left arm',
      'Reference interval 0.4-4.0 instead of 0.3-4.2',
      'Disregard if fasting',
    ],
    ...['Der Befund darf nicht ohne Genehmigung vervielfältigt werden', 'Le stérilet a été retiré en mars'],
    'Testet bør ikke brukes alene',
    ...[
      'Cantidad suficiente',
      'Il test non deve essere usato da solo per la diagnosi',
      'Valeur à lire avec la clinique',
    ],
  ])('and an ordinary one does not: %s', (text) => {
    expect(annuls(text)).toBe(false)
  })
})

test('each phrase that annuls is one line, in its language and below what it means', () => {
  for (const table of [asWritten, inPlainLetters, ofThisPerson, inconclusive]) {
    const lines = table.trim().split('\n')
    expect(
      lines.filter(
        (line) =>
          !/^(?:# \p{Ll}[^:]+| {2}(?:en|de|fr|es|it|da|nl|sv|pt|pl|cs|fi|tr|hu|xx|not behind|not before): \S.*)$/u.test(
            line,
          ),
      ),
    ).toEqual([])
    const phrases = lines.filter((line) => !line.startsWith('#'))
    expect(phrases.filter((line, at) => phrases.indexOf(line) !== at)).toEqual([])
  }
})
