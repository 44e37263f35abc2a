import { Skeleton } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SettingsTabs } from '../../frame/settings-tabs.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { PublishText } from './publish-text.tsx'
import { PublishedTexts } from './published-texts.tsx'

/** What people agree to at this business. */
export function ConsentPage() {
  const { write } = usePermissions()
  const { panels, nameOf } = usePanels()
  const texts = useRead('/api/v1/consent-texts')
  const publish = useWrite('post', '/api/v1/consent-texts')
  const newest = texts.data?.find(({ current, kitType }) => current && kitType === undefined)
  return (
    <>
      <PageHeader
        title={t('Settings')}
        sentence={t(
          "The words that people agree to. Yours come before the operator's, and those of a panel before those for all panels.",
        )}
        actions={
          write && (
            <PublishText
              panels={panels ?? []}
              publish={(body) => publish.mutateAsync({ body })}
              words={newest?.text ?? ''}
            />
          )
        }
      />
      <SettingsTabs />
      {texts.error && !texts.data && <ErrorAlert error={texts.error} retry={() => void texts.refetch()} />}
      {texts.isPending && <Skeleton height={320} />}
      {texts.data && <PublishedTexts texts={texts.data} panelName={nameOf} saysWhose />}
    </>
  )
}
