/** Why an observation is no result: a code for programs, a sentence for people. */
export const reasons = {
  pending: 'The result is still to come: wait for it',
  cancelled: 'The laboratory could not report a result: ask whether a new sample is needed',
  notOwn:
    'It is not of the person, but of control material, a donor, a device or somebody else: leave it out, or ask the laboratory',
  otherSite: 'It was taken from another place of the body than blood is drawn from: ask the laboratory from where',
  sampleFact: 'It is no result, but says how the sample was taken: nothing has to be done',
  annulled: 'A note beside it says that it may not be used: read the note, and ask the laboratory for a new result',
  unaccounted: 'The document says something beside its results that may change them: read it',
  unknownRemark:
    'The laboratory wrote a remark that is not known: read it, then publish the result or ask the laboratory',
  notInFile: 'The report names this result, but it is not in the file: ask the laboratory for it',
  impossibleTimes: 'Its times contradict one another: ask the laboratory which one is right',
  absent: 'The laboratory says that there is no value, and why: ask whether a new sample is needed',
  notDone: 'The test was not done: ask whether it will be',
  withdrawn: 'The result was withdrawn: wait for a new one, or ask for it',
  unreadable: 'It was received, but could not be read: open the document, and read it there',
  notCounted: 'Fewer results were read than there are lines that look like results: look at the whole document',
  uncertainNumber: 'The comma or point in it could mean two different numbers: ask the laboratory which one',
  severalValues:
    'It has several values, and which one is the current one is not certain: look at the document, or ask the laboratory',
  unknownStatus: 'The status that is printed beside it is not known: ask the laboratory whether the result counts',
  contradicted:
    'What is sent with the value says that it may not be taken as it stands: read it, and ask the laboratory',
  shifted: 'Its row has more cells than there are headings, and what belongs to which is not certain: look at the file',
  otherName: 'The file names somebody else than this customer: see that it is the same person',
  notANumber: 'The result is not a plain number: read it, and say what it means',
  unknownWord: 'The result is none of the words that are known for this biomarker: read it, and say what it means',
  codeContradictsText:
    'The code and the text of the result, or its answers, contradict one another: ask the laboratory which one is right',
  flagContradictsValue: 'The flag and the result contradict one another: ask the laboratory which one is right',
  noteContradictsValue: 'The answer is negative, and a note beside it speaks of something else: read the note',
  otherPart:
    'It stands in a part of the page that may hold limits, examples or notes instead of results: look at the page',
  earlierOrGoal:
    'It is a goal or an earlier result, or stands under such a title: leave it out, unless the document says otherwise',
  otherSpecimenName: 'The name speaks of another specimen or a provoked state: say which test it is, or leave it out',
  otherSpecimenSection: 'It stands under another specimen or a provoked state: say which test it is, or leave it out',
  otherSpecimen:
    'It was measured in another specimen than this biomarker may come from: say which test it is, or leave it out',
  unknownSpecimen: 'What its specimen is, is not certain: ask the laboratory',
  severalBiomarkers: 'Its names mean different biomarkers: say which test it is, or ask the laboratory',
  unknownName: 'The name is not known: say which test it is',
  noName: 'It has no name: ask the laboratory which test it is',
  wrongCheckDigit: 'The LOINC code has a wrong check digit: ask the laboratory for the right one',
  unknownNameOfCode: 'The LOINC code is known, but the name is not: say which test it is',
  codeContradictsName: 'The LOINC code and the name mean different biomarkers: ask the laboratory which one is right',
  unknownNameAndCode: 'Neither the name nor the LOINC code is known: say which test it is',
  unknownCode:
    'The catalogue lacks the LOINC code, and no specimen is named: say which test it is, or ask in what it was measured',
  noUnit: 'No unit is printed: ask the laboratory for it',
  noFixedRatio:
    'The unit cannot be converted for this biomarker, since mass and amount have no fixed ratio: ask for the result in another unit',
  unknownUnit: 'The unit is not known or does not belong to this biomarker: ask the laboratory for the right one',
  implausible: 'The value cannot be right in this unit: ask the laboratory which of both is wrong',
  otherScale: 'The printed range does not fit the unit: ask the laboratory which of both is wrong',
  otherRange: 'The printed range is that of another biomarker: ask the laboratory which test it is',
  flagContradictsRange: 'The flag and the printed range contradict one another: ask the laboratory which one is right',
  replaced: 'A corrected result in the same file replaces it: nothing has to be done',
  replacedByFinal: 'A final result in the same file replaces it: nothing has to be done',
  superseded: 'A corrected, final or newer result stands, or the laboratory took it back: nothing has to be done',
  otherMessage: 'Another message with the same control ID came before, and says something else: see which one counts',
  otherSampleStands: 'It is of another sample than the newer result of the same test: see both, and which one counts',
  afterCorrection: 'The laboratory corrected this result, and then sent another value as final: ask which one counts',
  afterWithdrawal:
    'The laboratory took this result back, and it is not certain that this value came after that: ask which one counts',
  differentValues: 'The file holds different values for this biomarker: ask the laboratory which one counts',
} as const

/** Words instead of a number, of a test whose answers are not known. */
export const inWords =
  'The result is in words, and which words this test has is not known: read it, and say what it means'

/** What stands instead of a number, where it has a meaning of its own. */
export const insteadOfNumber = {
  nothing: 'The laboratory sent no value: ask whether one will follow',
  notEnough: 'The sample was not enough for the test: a new one is needed',
  cutOff: 'The spreadsheet cut the number off: export it again',
  formula: 'The spreadsheet could not compute the value: ask the laboratory for it',
} as const

export type Reason = keyof typeof reasons

const sentences = [...Object.values(reasons), ...Object.values(insteadOfNumber), inWords]

/** What a reason says, without the next step, which is for those who check results and not for whom they are of. */
export function factOf(reason: string): string {
  const sentence = sentences.find((one) => reason === one || reason.startsWith(`${one}: `))
  return sentence ? (sentence.split(': ')[0] ?? '') + reason.slice(sentence.length) : reason
}

export interface Refused {
  reason: Reason
  suggestions: string[]
  /** What was sent that it rests on. */
  because?: string | undefined
  /** The sentences for which it waits, as far as they may pass once a reviewer let them. */
  remarks?: string[]
}
