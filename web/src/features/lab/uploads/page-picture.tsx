import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fetchRaw } from '../../../api/client.ts'
import { useApi, useRealmHeader } from '../../../app/realm.tsx'
import { dataUrlOf } from '../../../components/data-url.ts'
import { t } from '../../../language/t.ts'

/** A page of an upload. An `<img>` cannot send the realm's header, so it is fetched; the policy allows data: but not blob: URLs. */
export function PagePicture({ docID, page }: { docID: string; page: number }) {
  const api = useApi()
  const realm = useRealmHeader()
  const picture = useQuery({
    queryKey: [realm ?? '', 'upload-page', docID, page],
    queryFn: async () => {
      const response = await fetchRaw(realm, `${api}/uploads/${encodeURIComponent(docID)}/pages/${page}`)
      return await dataUrlOf(await response.blob())
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (picture.error && !picture.data)
    return <Text c="var(--k-bad)">{t('Page {page} cannot be shown. Open the original file.', { page })}</Text>
  return picture.data ? <img src={picture.data} alt={t('Page {page}', { page })} /> : <Skeleton height={480} />
}
