import { Skeleton } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useApi } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SettingsTabs } from '../../frame/settings-tabs.tsx'
import { t } from '../../language/t.ts'
import { PublishText } from './publish-text.tsx'
import { PublishedTexts } from './published-texts.tsx'

/** What people agree to at this business, or at those that published no text of their own. */
export function ConsentPage() {
  const api = useApi()
  const isOfBusiness = api === '/api/v1'
  const { write } = usePermissions()
  const panels = useRead(`${api}/panels`).data ?? []
  const nameOf = (kitType: string) => panels.find((panel) => panel.kitType === kitType)?.name ?? kitType
  const texts = useRead(`${api}/consent-texts`)
  const publish = useWrite('post', `${api}/consent-texts`)
  const newest = texts.data?.find(({ current, kitType }) => current && kitType === undefined)
  return (
    <>
      <PageHeader
        title={isOfBusiness ? t('Settings') : t('Consent texts')}
        sentence={
          isOfBusiness
            ? t(
                "The words that people agree to. Yours come before the operator's, and those of a panel before those for all panels.",
              )
            : t('The words that people agree to at businesses without their own text.')
        }
        actions={
          (write || !isOfBusiness) && (
            <PublishText panels={panels} publish={(body) => publish.mutateAsync({ body })} words={newest?.text ?? ''} />
          )
        }
      />
      {isOfBusiness && <SettingsTabs />}
      {texts.error && !texts.data && <ErrorAlert error={texts.error} retry={() => void texts.refetch()} />}
      {texts.isPending && <Skeleton height={320} />}
      {texts.data && <PublishedTexts texts={texts.data} panelName={nameOf} saysWhose={isOfBusiness} />}
    </>
  )
}
