import type { components } from '@kitlane/client'
import { Badge, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { ConnectionSummary } from './connection-summary.tsx'
import { EditLaboratory } from './edit-laboratory.tsx'
import { PassedRemarks } from './passed-remarks.tsx'

type Connection = components['schemas']['LabConnection']
type Profile = components['schemas']['LaboratoryProfile']

/** Profiles of laboratories: what reports say of them where the message does not. */
export function LaboratoriesPage() {
  const list = useRead('/operator/v1/laboratories')
  const connections = useRead('/operator/v1/lab-connections')
  const add = useWrite('post', '/operator/v1/laboratories')
  return (
    <>
      <PageHeader
        title={t('Laboratories')}
        sentence={t(
          "A report must say where it was tested. What a laboratory's message does not say is taken from here; reports that are there keep what they say.",
        )}
        actions={<EditLaboratory label={t('Add a laboratory')} save={(body) => add.mutateAsync({ body })} />}
      />
      {list.error && !list.data && <ErrorAlert error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton height={240} />}
      {list.data?.length === 0 && (
        <EmptyState
          title={t('No laboratories')}
          text={t('Reports say only what the messages say of their laboratory.')}
        />
      )}
      <Stack maw={800}>
        {list.data?.map((profile) => (
          <Laboratory key={profile.id} profile={profile} connections={connections.data} />
        ))}
        <PassedRemarks />
      </Stack>
    </>
  )
}

interface LaboratoryProps {
  profile: Profile
  /** Undefined until it is known how laboratories get orders. */
  connections: readonly Connection[] | undefined
}

function Laboratory({ profile, connections }: LaboratoryProps) {
  const change = useWrite('post', '/operator/v1/laboratories/{laboratoryID}')
  const remove = useWrite('post', '/operator/v1/laboratories/{laboratoryID}/remove')
  const { id, name, names, address, clia, director, timeZone, isDefault } = profile
  const params = { path: { laboratoryID: id } }
  const licence = [
    clia && t('CLIA {clia}', { clia }),
    director && t('Director {director}', { director }),
    timeZone,
  ].filter(Boolean)
  return (
    <Section
      title={name}
      action={
        <Group gap="xs">
          <EditLaboratory label={t('Edit')} profile={profile} save={(body) => change.mutateAsync({ params, body })} />
          <ConfirmButton
            label={t('Remove')}
            isDangerous
            sentence={t(
              'Reports keep what they say. New ones say only what the message says of this laboratory. It gets no more orders; while it has open ones, it is not removed.',
            )}
            action={() => remove.mutateAsync({ params })}
            done={t('{name} was removed', { name })}
          />
        </Group>
      }
    >
      {isDefault && (
        <Badge tt="none" variant="default">
          {t('For kits whose results name no laboratory')}
        </Badge>
      )}
      <Text>{address}</Text>
      {licence.length > 0 && <Text c="dimmed">{licence.join(' · ')}</Text>}
      {names.length > 0 && <Text c="dimmed">{t('In messages: {names}', { names: names.join(', ') })}</Text>}
      {connections && (
        <ConnectionSummary
          laboratory={profile}
          connection={connections.find(({ laboratoryID }) => laboratoryID === id)}
        />
      )}
    </Section>
  )
}
