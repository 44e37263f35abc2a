import { Skeleton } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { t } from '../../language/t.ts'
import { PublishText } from './publish-text.tsx'
import { PublishedTexts } from './published-texts.tsx'

/** The texts for businesses that published none of their own. */
export function OperatorConsentPage() {
  const texts = useRead('/operator/v1/consent-texts')
  const panels = useRead('/operator/v1/panels')
  const publish = useWrite('post', '/operator/v1/consent-texts')
  const newest = texts.data?.find(({ current, kitType }) => current && kitType === undefined)
  const nameOf = (kitType: string) => panels.data?.find((panel) => panel.kitType === kitType)?.name ?? kitType
  return (
    <>
      <PageHeader
        title={t('Consent texts')}
        sentence={t('The words that people agree to at businesses without their own text.')}
        actions={
          <PublishText
            panels={panels.data ?? []}
            publish={(body) => publish.mutateAsync({ body })}
            words={newest?.text ?? ''}
          />
        }
      />
      {texts.error && !texts.data && <ErrorAlert error={texts.error} retry={() => void texts.refetch()} />}
      {texts.isPending && <Skeleton height={320} />}
      {texts.data && <PublishedTexts texts={texts.data} panelName={nameOf} saysWhose={false} />}
    </>
  )
}
