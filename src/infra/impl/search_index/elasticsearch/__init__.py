"""Full-text store on an Elasticsearch cluster."""

from collections.abc import Sequence

from domain.shared.secret import Secret
from infra.contract.adapter import AdapterSettings, ManagedTextIndexes, Place, is_local
from infra.impl.search_index import TEXT_INDEXES


class ElasticsearchTexts(AdapterSettings, frozen=True, kw_only=True):
    """Words on a cluster."""

    url: str = ""
    prefix: str = "coterie_"
    """Of all index names, so that deployments can share a cluster."""
    user: str = ""
    password: Secret = Secret("")
    api_key: Secret = Secret("")
    ca_certs: str = ""
    """File with the authority that signed the server's certificate."""
    replicas: int = 1

    def build(self, place: Place) -> ManagedTextIndexes:
        from infra.impl.search_index.elasticsearch.text import ElasticsearchTextIndexes

        return ElasticsearchTextIndexes(
            self.url,
            prefix=self.prefix,
            user=self.user,
            password=self.password.reveal(),
            api_key=self.api_key.reveal(),
            ca_certs=self.ca_certs,
            replicas=self.replicas,
        )

    def warnings(self) -> Sequence[str]:
        if is_local(self.url):
            return ()
        is_known = self.password or self.api_key
        return [
            *(["text_index.url is not https."] if self.url.startswith("http://") else ()),
            *([] if is_known else ["text_index has neither password nor api_key."]),
        ]

    def identity(self, place: Place) -> tuple[object, ...] | None:
        return self.url, self.prefix


TEXT_INDEXES.register("elasticsearch")(ElasticsearchTexts)
