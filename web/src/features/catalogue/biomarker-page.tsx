import { Group, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { t } from '../../language/t.ts'
import { boundsText } from '../reports/bounds-text.ts'
import { Approval } from './approval.tsx'
import { type Definition, phaseNames } from './definition.ts'
import { EditRanges } from './edit-ranges.tsx'
import { PersonText } from './person-text.tsx'
import { SignRanges } from './sign-ranges.tsx'

export function BiomarkerPage() {
  const { biomarkerID = '' } = useParams({ strict: false })
  const versions = useRead('/operator/v1/biomarkers/{biomarkerID}/versions', { params: { path: { biomarkerID } } })
  const [current] = versions.data ?? []
  return (
    <>
      <PageHeader
        title={current?.definition.label ?? biomarkerID}
        crumbs={[['catalogue', t('Catalogue')]]}
        actions={
          current && (
            <>
              {!current.signature && <SignRanges biomarkerID={biomarkerID} />}
              <EditRanges key={current.version} definition={current.definition} />
            </>
          )
        }
      />
      {current && !current.signature && <Approval />}
      {versions.error && <ErrorAlert error={versions.error} retry={() => void versions.refetch()} />}
      {current && (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
          <Ranges definition={current.definition} />
          <Stack gap="lg">
            <PersonText biomarkerID={biomarkerID} />
            <Identity definition={current.definition} />
            <Section title={t('Versions')}>
              {versions.data?.map(({ version, reason, createdDate, signature }) => (
                <Group key={version} justify="space-between">
                  <Text>
                    {version}. {reason} –{' '}
                    {signature
                      ? t('signed by {director}, {laboratory}', {
                          director: signature.director,
                          laboratory: signature.laboratory,
                        })
                      : t('not signed by a laboratory')}
                  </Text>
                  <RelativeDate value={createdDate} />
                </Group>
              ))}
            </Section>
          </Stack>
        </SimpleGrid>
      )}
    </>
  )
}

function Ranges({ definition }: { definition: Definition }) {
  const { reference, optimal, ageBands, phases, displayUnit, checked, note } = definition
  const bands = [
    ...(ageBands?.F ?? []).map((band) => ({ ...band, sex: t('Women') })),
    ...(ageBands?.M ?? []).map((band) => ({ ...band, sex: t('Men') })),
  ]
  const rows: [string, string, string | undefined][] = [
    [t('Reference, women'), boundsText(reference?.F), reference?.source],
    [t('Reference, men'), boundsText(reference?.M), reference?.source],
    [t('Optimal, women'), boundsText(optimal?.F), optimal?.source],
    [t('Optimal, men'), boundsText(optimal?.M), optimal?.source],
    ...bands.map(({ sex, minAge, maxAge, ...bounds }): [string, string, string | undefined] => [
      t('{sex}, {minAge} to {maxAge} years', { sex, minAge, maxAge }),
      boundsText(bounds),
      ageBands?.source,
    ]),
    ...(phases?.F ?? []).map(({ phase, ...bounds }): [string, string, string | undefined] => [
      t('Women, {phase}', { phase: phaseNames[phase] }),
      boundsText(bounds),
      phases?.source,
    ]),
  ]
  return (
    <Section title={displayUnit ? t('Ranges in {displayUnit}', { displayUnit }) : t('Ranges')}>
      <WideTable label={t('Ranges')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('For')}</Table.Th>
            <Table.Th scope="col">{t('Range')}</Table.Th>
            <Table.Th scope="col">{t('Source')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([name, bounds, source]) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{bounds}</Table.Td>
              <Table.Td>{source ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      <Text size="sm" c="dimmed">
        {checked.length > 0
          ? t('Compared with: {sources}.', { sources: checked.join(', ') })
          : t('Not compared with a source yet.')}{' '}
        {note}
      </Text>
    </Section>
  )
}

const kinds = {
  presence: t('positive or negative'),
  grade: t('steps of a test strip'),
  titre: t('a titer, such as 1:320'),
  text: t('a text'),
}

/** What results look like that are no plain numbers, and which of them are normal. */
function resultsOf(scale: NonNullable<Definition['scale']>): [string, string][] {
  if (scale.kind === 'titre') return [[t('Results'), kinds.titre]]
  const expected = scale.expected.join(', ') || t('only the laboratory can say')
  return [
    [t('Results'), kinds[scale.kind]],
    [t('Expected'), scale.source ? `${expected} (${scale.source})` : expected],
    [t('Any other result'), scale.critical ? t('is critical: a person publishes the report') : t('is abnormal')],
  ]
}

function Identity({ definition }: { definition: Definition }) {
  const { id, loinc, unit, direction, plausible, aliases, derived, conversions, scale } = definition
  const isNumber = !scale || scale.kind === 'titre'
  const rows: [string, string][] = [
    ['ID', id],
    ['LOINC', loinc ?? '–'],
    ...(scale ? resultsOf(scale) : []),
    ...(isNumber
      ? ([
          [t('Unit (UCUM)'), unit],
          [t('Better is'), { lower: t('lower'), higher: t('higher'), range: t('in the middle') }[direction]],
          [t('Plausible'), t('{min} to {max}', { min: plausible.min, max: plausible.max })],
        ] satisfies [string, string][])
      : []),
    [t('Calculated'), derived ? derived.expression : t('no, measured')],
    [t('Other units'), conversions.map((conversion) => conversion.unit).join(', ') || t('None')],
    [t('Other names'), aliases.join(', ')],
  ]
  return (
    <Section title={t('Definition')}>
      <WideTable label={t('Definition')}>
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Section>
  )
}
