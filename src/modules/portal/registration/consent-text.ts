/** Kept with every consent: a change of a word below is a new version. */
export const CONSENT_VERSION = '2026-11'

export interface Section {
  title: string
  paragraphs: readonly string[]
}

/** The consent in short, above the full text. */
export const consentInShort: readonly string[] = [
  'You take a small sample yourself and post it. A laboratory tests it for what this kit is made for, and for nothing else.',
  'The company that gave you this kit, and the people who pack, test and check for it, see what they need for that. Nobody else does.',
  'The result is information for you. It is not a diagnosis and does not take the place of a doctor.',
  'You can change your mind at any time.',
]

/** The full text. `business` is who gave the kit. A lawyer of whoever runs this service has to approve it, or replace it here. */
export const consentInFull = (business: string): readonly Section[] => [
  {
    title: 'What is done with your sample',
    paragraphs: [
      `You collect a sample at home as the leaflet in the box describes, and post it to the laboratory that works for ${business}. The laboratory measures the values that the kit was made for. It does no other tests, and no genetic tests.`,
      'The sample is destroyed after testing, once the laboratory no longer has to keep it by law.',
    ],
  },
  {
    title: 'What is known about you',
    paragraphs: [
      'Your name, e-mail address, date of birth and sex are needed: to tell your sample from others, to reach you, and because normal values differ with age and sex. A telephone number and an address are up to you.',
      `${business}, the operator of this service and the laboratory can see your details and your results as far as their work needs it. Your results are kept for as long as the law asks for, and then deleted.`,
      'They are never sold, and are not given to insurers or employers.',
    ],
  },
  {
    title: 'What the test can and cannot do',
    paragraphs: [
      'Any test can be wrong: a value may be outside the normal range in a healthy person, or within it in a person who is ill. A sample may turn out not to be usable; you would then be told.',
      'A result is not a diagnosis. If you feel unwell, or a result worries you, please talk to a doctor, and do not change a treatment without one. In an emergency, call the emergency number.',
      'Collecting a sample can hurt a little, bleed or leave a bruise.',
    ],
  },
  {
    title: 'Research, if you want it',
    paragraphs: [
      'If you tick the second box, your results without your name, e-mail address, date of birth and address may be used for research and for making tests better. If you do not tick it, nothing else changes for you.',
    ],
  },
  {
    title: 'Your rights',
    paragraphs: [
      `You can take back this consent at any time, without a reason: tell ${business}. What was done until then stays lawful. You can ask to see everything that is kept about you, to have it corrected, and to have it erased.`,
      'Only register a kit for yourself, or for a person whom you may decide for by law, such as your child.',
    ],
  },
]
