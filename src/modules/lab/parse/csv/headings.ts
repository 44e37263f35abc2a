import { dayOrder, printedDay } from '../date.ts'

/** What a column holds. `marker` is any other heading: in a wide table, the name of a measured quantity. */
const synonyms = {
  name: 'test,test name,testname,name,untersuchung,analyse,analyt,laborwert,bezeichnung,analyte,analyte name,biomarker,biomarker name,marker,component,component name,observation,observation name,parameter,lab test,assay,test description,result name,lab,measure,measurement name,exam',
  value:
    'value,result,results,ergebnis,messwert,resultat,wert,result value,test result,numeric result,numeric value,your result,your value,measurement,current result,observation value,measured value,result numeric',
  unit: 'unit,units,einheit,uom,unit of measure,unit_of_measure,units of measure,result unit,result units,measurement unit',
  range:
    'range,referenzbereich,normbereich,reference range,ref range,reference interval,ref interval,normal range,reference,expected range,reference ranges,standard range,biological reference interval,ref. range',
  low: 'low,range low,ref low,reference low,low range,range minimum,min,minimum,lower limit,lower bound,ref min,reference range low,range min',
  high: 'high,range high,ref high,reference high,high range,range maximum,max,maximum,upper limit,upper bound,ref max,reference range high,range max',
  flag: 'flag,flags,abnormal flag,abnormal,h/l,result flag,abnormality',
  collected:
    'date,collected,collection date,date collected,collected date,collected on,specimen date,sample date,drawn,draw date,date drawn,collection date/time,collected at,date of collection,test date,effective date,observation date,service date,date of service,sampling date,collection time,collected date/time',
  resulted:
    'reported,result date,date reported,resulted,report date,resulted date,date resulted,reported date,reported on',
  loinc: 'loinc,loinc code,loinc num,loinc number',
  kit: 'kit,kit id,kitid,kit number,kit barcode,kit code',
  accession: 'accession,accession number,accession id,accession no,specimen id,sample id,requisition,lab id',
  patient:
    'patient,patient name,full name,client name,subject,subject name,customer,customer name,client,person,patientenname',
  patientId:
    'patient id,patientid,patient number,patient no,mrn,medical record number,client id,customer id,subject id,person id,member id,participant id,email,e-mail,patient email',
  givenName: 'first name,firstname,given name,patient first name',
  familyName: 'last name,lastname,surname,family name,patient last name',
  born: 'dob,geburtsdatum,patient dob,date of birth,birth date,birthdate,birthday',
  sex: 'sex,gender',
  status: 'status,result status,report status',
  comment: 'comment,comments,note,notes,remarks,interpretation',
  specimen: 'specimen,specimen type,specimen source,sample type,sample,matrix,material,fluid',
  panel: 'panel,panel name,profile,order name,group,category,test group,section',
  previous:
    'previous,previous result,prior,prior result,last result,previous value,historic,previous date,prior value,last result,last value,vorwert,vorbefund',
  ignored:
    'id,age,provider,physician,ordering provider,laboratory,performing lab,method,code,#,no,row,lab code,goal,target,optimal,optimal range',
} as const

export type Kind = keyof typeof synonyms | 'date-column' | 'marker' | 'empty'

export interface Column {
  kind: Kind
  heading: string
  /** Of a `date-column`. */
  day?: string
}

const kinds = new Map(
  Object.entries(synonyms).flatMap(([kind, names]) => names.split(',').map((name) => [name, kind as Kind] as const)),
)

export function columnsOf(row: readonly string[]): Column[] {
  const order = dayOrder(row)
  return row.map((cell) => {
    const heading = cell.trim()
    const key = heading
      .toLowerCase()
      .replace(/[_\s]+/g, ' ')
      .replace(/[:*]+$/, '')
      .trim()
    const known = kinds.get(key)
    if (known) return { kind: known, heading }
    if (key === '') return { kind: 'empty', heading }
    const day = printedDay(heading, order)
    return day ? { kind: 'date-column', heading, day } : { kind: 'marker', heading }
  })
}

export const isLong = (columns: readonly Column[]) => has(columns, 'name') && has(columns, 'value')
export const isByDate = (columns: readonly Column[]) =>
  has(columns, 'name') && !has(columns, 'value') && has(columns, 'date-column')
const isWide = (columns: readonly Column[]) =>
  !has(columns, 'value') &&
  columns.filter(({ kind, heading }) => kind === 'marker' && /^[^\d\W]|^\d+[- ]*\(?OH/i.test(heading)).length >= 2

const has = (columns: readonly Column[], kind: Kind) => columns.some((column) => column.kind === kind)

/** How much a row looks like a heading: 0 is not at all. */
export function score(columns: readonly Column[]): number {
  const known = columns.filter(({ kind }) => !['marker', 'empty', 'date-column'].includes(kind)).length
  if (isLong(columns)) return 100 + known
  if (isByDate(columns)) return 80 + known
  return isWide(columns) && known > 0 ? 40 + known : 0
}
