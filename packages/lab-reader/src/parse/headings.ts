import { isKnownUnit } from '../facts/convert.ts'
import { plainLetters } from '../facts/letters.ts'
import { dayOrder, printedDay } from './date.ts'
import { isKnownFlag } from './flags.ts'
import { headingsAbroad } from './headings-abroad.ts'
import { nameAlone, numbers, ofReader } from './headings-of-numbers.ts'
import { folded, type Layout } from './layout.ts'
import { areMaterials } from './specimen-words.ts'

/** What a column holds. `marker` is any other heading: in a wide table, the name of a measured quantity. */
const synonyms = {
  name: 'lbtest,measurement source value,test,test desc,lab test description,investigation,investigation name,test item,item,検査項目,項目,test name,testname,analysis,name,untersuchung,analyse,analyt,laborwert,bezeichnung,analyte,analyte name,biomarker,biomarker name,marker,component,component name,observation,observation name,parameter,lab test,assay,test description,result name,lab,measure,measurement name,exam,tests,tests performed,parameters,analytes,biomarkers,laborparameter,kenngröße,analyse/untersuchung,examen,examens,paramètre,paramètres,dosage,dosages,komponent,komponente,prueba,estudio,análisis,determinación,parámetro,esame,esami,analisi,parametro,undersøgelse,undersøgelser,bepaling,exame,exames,analys,antibody,antibodies,autoantibody,autoantibodies,antikörper,autoantikörper,anticorps,anticuerpo,anticuerpos,anticorpo,anticorpi,allergen,allergène,alérgeno,allergene,badanie,nazwa badania,badania,parametr,test adı,tetkik,tetkik adı,análise,análises,onderzoek,libellé,libellé analyse,verfahren,analyse/verfahren,analito,検査名,検査項目名,undersökning,marcador',
  value:
    'lborres,value as number,reported value,reported result,value,result,results,ergebnis,messwert,resultat,wert,result value,test result,numeric result,numerical result,concentration,conc,conc.,konzentration,concentración,concentrazione,koncentration,numeric value,text result,text value,qualitative result,quantitative result,result text,result num,result value text,your result,your value,measurement,current result,observed value,res val,observation value,measured value,result numeric,values,result/value,messergebnis,befund,résultat,résultats,valeur,resultado,resultados,valor,risultato,risultati,esito,valore,svar,resultater,værdi,uitslag,resultaat,wynik,wyniki,sonuç,sonuçlar,värde,結果,結果値,今回,検査結果,waarde,specific ige,spezifisches ige,ige spezifisch,ige spécifique,ige spécifiques,ige específica,ige specifiche,ige specifica,specifiek ige,specifikt ige',
  unit: 'lborresu,unit source value,unit,units,ucum,ucum unit,ucum code,maßeinheit,masseinheit,res unit,単位,einheit,uom,unit of measure,unit_of_measure,units of measure,result unit,result units,measurement unit,einheiten,unité,unités,unidad,unidade,unidades,unità,unità di misura,u.m.,um,enhed,enheder,eenheid,enhet,unidade,u,reporting unit,reporting units,reported unit,reported units,unit 2,berichtseinheit,jednostka,jedn.,jednostki,birim,unités si,単位名,conventional unit,conventional units',
  range:
    'cut-off,cutoff,cut off,cut-off value,range,ref. interval,ref rng,基準値,基準範囲,referenzbereich,normbereich,reference range,ref range,reference interval,ref interval,normal range,reference,expected range,reference ranges,standard range,biological reference interval,ref. range,normal,normal values,normalbereich,referenzwerte,referenz,normwerte,valeurs de référence,intervalle de référence,intervalles de référence,normes,valeurs usuelles,norme,valores de referencia,intervalo de referencia,rango de referencia,valores normales,valori di riferimento,intervallo di riferimento,valori normali,intervalli di riferimento,referenceinterval,referenceområde,reference interval/range,referentiewaarden,referentiewaarde,referentie,referentie-interval,normaalwaarden,referensintervall,referanseområde,valores de referência,norma,zakres,zakres referencyjny,wartości referencyjne,zakres norm,zakres wartości referencyjnych,referans,referans aralığı,referans değerleri,ref.intervall,ref. intervall,intervalo,rango,valor de referencia,valor de referência,intervalo de referência,referência,riferimento,normalwert,normalwerte,normaalwaarde,referentiegebied,基準値範囲,参考基準値,referencia,referencias,referens,referenser,referanse,referanser,referencer,intervallo,intervalli,normales,référence,références',
  low: 'lbornrlo,low,range low,ref low,ref range low,reference low,low range,range minimum,min,minimum,lower limit,lower bound,ref min,reference range low,range min,ondergrens,untergrenze,limite inférieure,límite inferior,limite inferiore,nedre grænse,norma od,zakres od,dolna granica,borne inf,borne inférieure,mín,mínimo,referência mínima,límite inf,alt sınır,alt limit,基準値下限,下限,下限値,nedre gräns',
  high: 'lbornrhi,high,range high,ref high,ref range high,reference high,high range,range maximum,max,maximum,upper limit,upper bound,ref max,reference range high,range max,bovengrens,obergrenze,limite supérieure,límite superior,limite superiore,øvre grænse,norma do,zakres do,górna granica,borne sup,borne supérieure,máx,máximo,referência máxima,límite sup,üst sınır,üst limit,基準値上限,上限,上限値,övre gräns',
  flag: 'lbnrind,flag,flags,abn,res flag,abnormal flag,abnormal flags,abn flag,in range?,abnormal,h/l,result flag,abnormality,bew.,bewertung,markierung,hinweis,ind.,alerte,alerta,segn.,segnalazione,mærke,markering,asterisk,indicator,out of range,flaga,vlag,判定,asterisco,marca',
  collected:
    'lbdtc,measurement date,measurement datetime,date,collected,date taken,sample taken,taken,採取日,collection date,date collected,collected date,collected on,specimen date,sample date,drawn,draw date,date drawn,collection date/time,collected at,coll dt,coll date,collection dt,date of collection,test date,effective date,observation date,service date,date of service,sampling date,collection time,collected date/time,abnahmedatum,entnahmedatum,entnahme,datum,date de prélèvement,prélevé le,fecha,fecha de extracción,fecha de toma,data prelievo,data,prøvetagning,prøvedato,dato,fecha extracción,fecha toma,fecha de la toma,fecha de toma de muestra,date prélèvement,date du prélèvement,prélevée le,prélevé(e) le,data del prelievo,data di prelievo,entnommen,entnommen am,abgenommen am,afnamedatum,afname,provtagningsdatum,prøvetakingsdato,data da coleta,data de coleta,data pobrania,data i godz. pobrania,data i godzina pobrania,pobrano,tarih,numune alma,numune alma tarihi,alınma tarihi,numune tarihi,provtagningstid,provtid,provtaget,data de colheita,data da colheita,採血日,検査日,受診日,tijdstip afname,datum odběru,datum a čas odběru,dátum odberu',
  resulted:
    'reported,tested,tested on,date tested,analysed,analyzed,analysed on,analyzed on,analysis date,date analysed,date analyzed,result date,date reported,resulted,report date,resulted date,date resulted,reported date,reported on',
  received:
    'received,date received,received date,receipt date,received on,received at,date of receipt,eingang,eingangsdatum,eingegangen,eingegangen am,reçu le,date de réception,recibido,fecha de recepción,fecha recepción,ricevuto,data ricezione,data di ricezione,modtaget,modtagelsesdato,data przyjęcia,numune kabul,numune kabul tarihi,受付日,ankomst',
  loinc: 'loinc,loinc code,loinc num,loinc number',
  kit: 'kit,kit id,kitid,kit number,kit barcode,kit code',
  accession: 'accession,accession number,accession id,accession no,specimen id,sample id,requisition,lab id',
  patient:
    'patient,patient name,full name,client name,subject,subject name,customer,customer name,client,person,patientenname,paciente,paziente,nom,nombre,nome,navn,nombres,patiënt,naam,namn,pacjent,hasta,hasta adı,adı soyadı,utente,氏名,患者名,pacient,jméno a příjmení,jméno pacienta,meno a priezvisko',
  patientId:
    'usubjid,patient id,patientid,patient number,patient no,mrn,medical record number,client id,customer id,subject id,person id,member id,participant id,email,e-mail,patient email',
  givenName:
    'first name,firstname,given name,patient first name,given names,given,first names,forename,forenames,patient given name,patient forename,vorname,vornamen,prénom,prénoms,fornavn,voornaam,imię,adı',
  familyName:
    'last name,lastname,surname,family name,patient last name,last names,family,patient surname,patient family name,nachname,familienname,zuname,nom de famille,apellido,apellidos,primer apellido,segundo apellido,cognome,efternavn,achternaam,nazwisko,soyadı',
  born: 'dob,geburtsdatum,patient dob,date of birth,birth date,birthdate,birthday,geb.,geboren,geboren am,date de naissance,fecha de nacimiento,data di nascita,fødselsdato,d.o.b.,born,née le,né le,né(e) le,geb.-datum,geb.datum,geb.dat.,fecha nacimiento,fecha nac.,date naissance,data nascita,geboortedatum,födelsedatum,data de nascimento,data urodzenia,doğum tarihi,d. nasc.,生年月日,datum narození,dátum narodenia',
  sex: 'sex,gender,geschlecht,sexo,sexe,sesso,płeć,cinsiyet,kön,geslacht,性別,pohlaví,pohlavie',
  status:
    'status,result status,report status,befundstatus,ergebnisstatus,estado,estado del resultado,statut,état,stato,stato del risultato,situação,situacao,situación,tila,durum,stav,stav výsledku',
  comment:
    'comment,comments,note,notes,remarks,remark,interpretation,bemerkung,bemerkungen,kommentar,kommentare,anmerkung,anmerkungen,commentaire,commentaires,remarque,remarques,observations,observación,observaciones,comentario,comentarios,nota,notas,commento,commenti,osservazione,osservazioni,bemærkning,bemærkninger,opmerking,opmerkingen,observação,observações,uwagi,uwaga,komentarz,açıklama,notlar,not,コメント,備考,anmärkning,poznámka,poznámky,komentář,komentár,nota técnica,note to file,technical note,lab note,laboratory note,internal note,file note,lab comment,internal comment,qc comment,qc note',
  specimen:
    'lbspec,matriz,specimen,specimen type,specimen source,sample type,sample,matrix,material,fluid,probenmaterial,prélèvement,muestra,campione,prøvemateriale,materiał,materiaal,numune türü,numune,材料,検体,検体種別,provmaterial,material biológico,materiál,biologický materiál,vzorek,vzorka,échantillon,nature,mat,mat.,material code,specimen code,probenart,materialart,probenmat.,type de prélèvement,tipo de muestra,tipo muestra,tipo di campione,body fluid,fluid type,sample material,matériel',
  panel: 'panel,panel name,profile,order name,group,category,test group,section',
  comparator:
    'comparator,relation,relational operator,operator,op,op.,qual,quals,qualifiers,data qualifier,lab qualifier,result operator,value operator,qualifier,result qualifier,sign,prefix,result prefix,modifier,result modifier,value modifier,inequality,vergleich,vergleichszeichen,vorzeichen,operator/sign,opérateur,signe,comparateur,operador,signo,comparador,operatore,segno,fortegn',
  changes:
    'multiplier,factor,result factor,multiply by,multiplied by,scale,scaling,scale factor,exponent,power,power of ten,dilution,dilution factor,diluted,corrected,corrected value,corrected result,correction,amended,amended value,amended result,revised,revised value,revised result,adjusted,adjusted value,adjusted result,recalculated,recalculated value,recalculated result,normalised result,normalized result,faktor,verdünnung,verdünnungsfaktor,korrigiert,korrektur,korrigierter wert,facteur,dilution facteur,corrigé,valeur corrigée,multiplicador,dilución,corregido,valor corregido,fattore,moltiplicatore,diluizione,corretto,valore corretto,fortynding,rettet,korrigeret',
  method:
    'lbmethod,method,methodology,technology,methode,méthode,método,metodo,metode,test method,metoda,yöntem,metóda,測定法,測定方法,técnica,metodo analitico,technique',
  previous:
    'previous,previous result,prior,prior result,last result,previous value,historic,previous date,prior value,last result,last value,vorwert,vorbefund,previous results,previous values,prior values,last,baseline,résultat antérieur,antériorité,antérieur,anterior,resultado anterior,precedente,risultato precedente,forrige,tidligere,poprzedni wynik,poprzedni,wynik poprzedni,önceki sonuç,önceki,前回,前々回,前回値,předchozí,předchozí výsledek,minulý výsledek,predchádzajúci výsledok,föregående,föregående svar,vorige uitslag,vorige,antériorités,anteriores',
  ignored:
    'studyid,domain,lbseq,lbtestcd,lbcat,lbstresc,lbstresn,lbstresu,raw value,raw result,klasse,rast-klasse,rast,classe,clase,id,age,provider,physician,ordering provider,laboratory,performing lab,code,test code,#,no,row,lab code,goal,target,optimal,optimal range,targets,goals,average,avg,mean,population mean,population average,median,percentile,z-score,change,trend,delta,objectif,objetivo,obiettivo,mål,released by,verified by,validated by,approved by',
} as const

export type Kind = keyof typeof synonyms | 'date-column' | 'value-column' | 'marker' | 'empty'

export interface Column {
  kind: Kind
  heading: string
  /** Of a `date-column`. */
  day?: string
  /** Of all values below it, where the heading has one. */
  unit?: string
  /** Of a `value-column`: what it was measured in, who it names, and whether it is somebody else's. */
  specimen?: string
  person?: string
  isOfAnother?: true
  /** Under a heading that is not known stands something beside some results alone: it may be what is the matter with them. */
  isSparse?: true
}

const kinds = new Map([
  ...headingsAbroad.map(([name, kind]) => [name, kind === 'goals' ? 'ignored' : kind] as const),
  ...Object.entries(synonyms).flatMap(([kind, names]) => names.split(',').map((name) => [name, kind as Kind] as const)),
])

/** Headings as they are printed in capitals, without accents; two kinds of which only the accents differ are none. */
const withoutAccents = new Map<string, Kind | undefined>()
for (const [name, kind] of kinds) {
  const plain = plainLetters(name)
  withoutAccents.set(plain, (withoutAccents.get(plain) ?? kind) === kind ? kind : undefined)
}

const kindOf = (key: string): Kind | undefined => kinds.get(key) ?? withoutAccents.get(plainLetters(key))

/** "Bepaling / Analyse": what both sides mean, where they mean the same. */
function kindOfSides(key: string): Kind | undefined {
  const [first, ...others] = key.split(/\s*\/\s*/).map(kindOf)
  return others.length > 0 && others.every((kind) => kind === first) ? first : undefined
}

/** "Result 1" and "Result 2" are results: which of both is meant is not said. */
const numbered = (key: string) =>
  /^(?:results?|values?|ergebnis|wert|messwert|résultat|resultado|risultato|resultat) ?[1-9]$/.test(key)
    ? ('value' as const)
    : undefined

/** Beside a column of earlier results it is that of this one. */
export const currentOnly =
  /^(?:current|current (?:result|value)|now|today|new|actual|aktuell(?:er wert)?|actuel(?:le)?|attuale|nuværende|aktuel|huidige?|actuele)$/

/** Beside values of the SI it is the value, if its unit stands behind it. */
const conventional = /^conventional(?: (?:value|result))?s?$/i

const inLanguage = /^(.+) \(?(?:fr|nl|de|en|it|es|pt)\)?$/

/** Where a table has no other column of values, the answers of its tests stand here. */
const answers =
  /^(?:interpretation|interprétation|interpretación|interpretazione|interpretação|interpretatie|interpretace|beurteilung|bewertung|fortolkning|tolkning|tolkninger|findings?|outcomes?|answers?|qualitative)$/i

/** "Concentration (ng/mL)": a heading of values with the unit of all of them. */
function withUnit(heading: string): { key: string; unit?: string } {
  const [, bare = '', unit = ''] = /^(.*\S)\s*[([]\s*([^()[\]]+?)\s*[)\]]$/.exec(heading) ?? []
  const key = keyOf(bare)
  return isKnownUnit(unit) && kindOf(key) === 'value' ? { key, unit } : { key: keyOf(heading) }
}

/** Interfaces write headings as one word: COLLECTIONDATE, REFRANGELOW. */
const joined = new Map(
  [...kinds].map(([name, kind]) => [name.replace(/[^\p{L}]/gu, ''), kind] as const).filter(([name]) => name !== ''),
)

const keyOf = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
    .replace(/[:*]+$/, '')
    .trim()

/** "Date" may be the day of printing, and "Client" the one who ordered. */
const tellsNothing =
  /^(?:date|datum|fecha|data|dato|obs\.?|(?:test|service|effective|observation) date|date of service|(?:client|customer|subject)(?: .*)?|person|email|e-mail)$/
const labels: readonly Kind[] = [
  ...(['patient', 'givenName', 'familyName', 'born', 'sex', 'patientId'] as const),
  ...(['collected', 'resulted', 'accession', 'kit'] as const),
]

/** What stands behind a label in a line of its own: "Patient: Jamie Doe", "Collected;2026-03-01". */
export function labelKind(cell: string): Kind | undefined {
  const key = keyOf(cell)
  const kind = key === 'name' ? 'patient' : kindOf(key)
  return kind && labels.includes(kind) && !tellsNothing.test(key) ? kind : undefined
}

export function columnsOf(row: readonly string[], layout?: Layout): Column[] {
  const order = dayOrder(row, layout?.dayOrder)
  const taught = taughtKinds(layout)
  const columns = row.map((cell): Column => {
    const heading = cell.trim()
    const key = keyOf(heading)
    const { key: bare, unit } = withUnit(heading)
    const known =
      taught.get(folded(heading)) ??
      kindOf(bare) ??
      joined.get(key) ??
      numbered(key) ??
      numbers(key) ??
      kindOfSides(key)
    if (known) return { kind: known, heading, ...(unit && { unit }) }
    if (key === '') return { kind: 'empty', heading }
    const day = printedDay(heading, order)
    return day ? { kind: 'date-column', heading, day } : { kind: 'marker', heading }
  })
  const isCurrent = ({ heading }: Column) =>
    has(columns, 'previous') && !has(columns, 'value') && currentOnly.test(keyOf(heading))
  const isConventional = ({ heading }: Column, at: number) =>
    conventional.test(heading) && columns[at + 1]?.kind === 'unit' && !has(columns, 'value')
  const isOfReader = ({ heading }: Column) =>
    ofReader.test(keyOf(heading)) && !has(columns, 'value') && has(columns, 'ignored') && has(columns, 'unit')
  const isName = ({ heading }: Column) =>
    nameAlone.test(keyOf(heading)) && !has(columns, 'name') && has(columns, 'value')
  const isAnswer = ({ heading }: Column) =>
    answers.test(keyOf(heading)) &&
    has(columns, 'name') &&
    !columns.some(({ kind }) => ['value', 'date-column', 'previous', 'unit'].includes(kind)) &&
    columns.filter((one) => answers.test(keyOf(one.heading))).length === 1
  // "Analyse FR", "Analyse NL": one name in two languages.
  const translated = columns.filter(({ heading }) => kindOf(inLanguage.exec(keyOf(heading))?.[1] ?? '') === 'name')
  // A result stands under one of "In Range" and "Out Of Range".
  const sides = columns.filter(({ heading }) => /^(?:in|out of) range$/.test(keyOf(heading)))
  return columns.map((column, at): Column => {
    if (isName(column)) return { ...column, kind: 'name' }
    if (sides.length === 2 && sides.includes(column)) return { ...column, kind: 'value' }
    if (translated.includes(column)) return { ...column, kind: column === translated[0] ? 'name' : 'ignored' }
    if ([isCurrent, isConventional, isAnswer, isOfReader].some((is) => is(column, at)))
      return { ...column, kind: 'value' }
    return isPersonsName(column, columns) ? { ...column, kind: 'patient' } : column
  })
}

export const isRangeHeading = (heading: string): boolean => kindOf(keyOf(heading)) === 'range'

/** Whether a row below the heading is a heading again: of a second table, or of the next page. */
export function headingsOf(layout?: Layout): (cells: readonly string[]) => boolean {
  const taught = taughtKinds(layout)
  const isName = (cell: string) =>
    kindOf(cell.trim().toLowerCase()) === 'name' || (taught.size > 0 && taught.get(folded(cell)) === 'name')
  return (cells) => cells.some(isName) && isLong(columnsOf(cells, layout))
}

/** Goals, averages and previous results are no result, whoever says so. */
function taughtKinds(layout: Layout | undefined): Map<string, Kind> {
  if (!layout) return new Map()
  const { columns, labels } = layout
  const isAllowed = ({ heading, is }: Layout['columns'][number]) =>
    is !== 'value' || !['previous', 'ignored'].includes(kindOf(folded(heading)) ?? '')
  const ofLabels = (['collected', 'patient', 'born'] as const).map(
    (kind) => [folded(labels[kind] ?? ''), kind] as const,
  )
  return new Map<string, Kind>([
    ...columns.filter(isAllowed).map(({ heading, is }) => [folded(heading), is] as const),
    ...ofLabels.filter(([heading]) => heading !== ''),
  ])
}

/** Beside "Component" or "Parameter", "Name" may be the one of a panel. */
const tellsTest =
  /^(?:(?:lab )?tests?|test (?:name|description)|analy[st]es?|analysis|análisis|analisi|assay|biomarker|untersuchung|analyt|laborwert|examens?|prueba|determinación|esam[ei]|undersøgelser?)$/i

/** "Name" is the person's beside "Test" and what else is known of a person, and where each row is a sample. */
function isPersonsName({ kind, heading }: Column, columns: readonly Column[]): boolean {
  if (kind !== 'name' || heading.toLowerCase() !== 'name' || has(columns, 'patient')) return false
  const isOnly = columns.filter((column) => column.kind === 'name').length === 1
  if (isOnly) return !has(columns, 'value') && !has(columns, 'date-column')
  const at = columns.findIndex((column) => column.heading === heading)
  const isBeforeTest = columns.slice(at + 1).some((column) => column.kind === 'name' && tellsTest.test(column.heading))
  return isBeforeTest || (['born', 'sex', 'patientId', 'givenName'] as const).some((one) => has(columns, one))
}

/** Words that only a column of flags holds; "N" and "-" may mean anything. */
const telling = /^(h|hh|l|ll|high|low|abnormal|critical( high| low)?|out of range|above( range)?|below( range)?)$/i

/** A column under another heading that holds flags and nothing else is one of flags; words under none are remarks. */
export function withFlags(columns: readonly Column[], rows: readonly { cells: readonly string[] }[]): Column[] {
  if (!isLong(columns)) return [...columns]
  return columns.map((column, index) => {
    if (!['marker', 'comment', 'empty'].includes(column.kind)) return column
    const cells = rows.map(({ cells }) => cells[index]?.trim() ?? '').filter((cell) => cell !== '')
    const areFlags = cells.every(isKnownFlag)
    if (areFlags && cells.some((cell) => telling.test(cell)) && !has(columns, 'flag'))
      return { ...column, kind: 'flag' }
    const isRemark = column.kind === 'empty' && !areFlags && cells.some((cell) => /\p{L}{3}/u.test(cell))
    return isRemark ? { ...column, kind: 'comment' } : column
  })
}

/** "Prélèvement" and "sample" head days too: "30/03/2026", "2026-03-30 08:15". */
const onlyDay = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}-\d{2}-\d{2})(?:[ T,]+\d{1,2}[:h]\d{2}(?::\d{2})?)?$/

/** "55-1", "26/104". */
const sampleNumber = /^\d{1,4}[-/]\d{1,8}$/

/**
 * Marks the columns under headings that are not known which hold something beside some results, and nothing beside others. Those of
 * codes of materials are of specimens, and those of numbers of samples are no materials: each may be of another person.
 */
export function withSparse(columns: readonly Column[], rows: readonly { cells: readonly string[] }[]): Column[] {
  if (!isLong(columns)) return [...columns]
  const isOf = (kind: Kind) => (cells: readonly string[]) =>
    columns.some((column, at) => column.kind === kind && (cells[at] ?? '').trim() !== '')
  const results = rows.filter(({ cells }) => isOf('name')(cells) && isOf('value')(cells))
  return columns.map((column, at) => {
    const filled = results.map(({ cells }) => (cells[at] ?? '').trim()).filter((cell) => cell !== '')
    const isUnknown = column.kind === 'marker' && filled.length > 0
    if (isUnknown && areMaterials(filled)) return { ...column, kind: 'specimen' }
    const isNumber = column.kind === 'specimen' && filled.length > 0 && !has(columns, 'accession')
    if (isNumber && filled.every((cell) => sampleNumber.test(cell))) return { ...column, kind: 'accession' }
    const areDays = column.kind === 'specimen' && filled.length > 0 && filled.every((cell) => onlyDay.test(cell))
    if (areDays && !has(columns, 'collected')) return { ...column, kind: 'collected' }
    const isSparse = isUnknown && filled.length < results.length
    return isSparse ? { ...column, isSparse } : column
  })
}

export const isLong = (columns: readonly Column[]) => has(columns, 'name') && has(columns, 'value')
export const isByColumn = (columns: readonly Column[]) =>
  has(columns, 'name') && !has(columns, 'value') && (has(columns, 'date-column') || has(columns, 'value-column'))
const isWide = (columns: readonly Column[]) =>
  !has(columns, 'value') &&
  !has(columns, 'name') &&
  // A row with a number in it is one of results, whatever its first cell is called.
  !columns.some(({ heading }) => /^[<>≤≥]?\s*\d+([.,]\d+)?$/.test(heading)) &&
  columns.filter(({ kind, heading }) => kind === 'marker' && /^[^\d\W]|^\d+[- ]*\(?OH/i.test(heading)).length >= 2

const has = (columns: readonly Column[], kind: Kind) => columns.some((column) => column.kind === kind)

/** How much a row looks like a heading: 0 is not at all. */
export function score(columns: readonly Column[]): number {
  const known = columns.filter(({ kind }) => !['marker', 'empty', 'date-column', 'value-column'].includes(kind)).length
  if (isLong(columns)) return 100 + known
  if (isByColumn(columns)) return 80 + known
  return isWide(columns) && known > 0 ? 40 + known : 0
}
