"""Passwords of accounts, what is refused as one, and how all keyboards spell it."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self

from domain.identity.error import WeakPassword
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import UserId
from domain.shared.secret import Secret

PASSWORD_CHARS: Final = range(12, 257)
_DISTINCT_CHARS: Final = 5
"""Fewer make a text that every list of guesses begins with, however long it is."""
_COMMON_TEXT: Final = """
    !qaz2wsx3edc 010203040506 012345678910 014702580369 01telemike01 102030405060 1111111111zz
    111222333000 111222333444555 112233445566 122333444455555 123123qweqwe 123321456654
    123321qweewq 123456654321 123456782000 1234567887654321 123456789000 12345678900987654321
    123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 1234567890987654321
    1234567890ab 1234567890qaz 1234567890qw 1234567890qwe 1234567890qwerty 1234567890zzz
    123456789101 123456789123 1234567892000 12345678987654321 123456789987654321 123456789abc
    123456789asd 123456789qaz 123456789qqq 123456789qwe 123456789qwer 123456789qwerty 123456789zxc
    1234567qwertyu 123456qwerty 1234qwerasdf 1234qwerasdfzxcv 123qwe456rty 123qweasdzxc
    123qwerty123 12qw34er56ty 159753456852 1a2s3d4f5g6h 1q2w3e4r5t6y 1qa2ws3ed4rf 1qa2ws3ed4rf5tg
    1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qaz@wsx3edc 1qazxsw23edc 1qazxsw23edcvfr4 23176djivanfros
    31217221027711 32615948worms 41d8cd98f00b 4815162342lost 541233432442 59382113kevinp
    742617000027 89231243658s 89876065093rax a1s2d3f4g5h6 abc123456789 abcdefghijkl abcdefghijklm
    abcdefghijklmnop admin1234567 admin123456789 admin18533362 adminadminadmin administrator
    administrator1 amadeusptfcor an83546921an13 andrewjackie antananarivu asdfgh123456
    asdfghjkl123 auckland2010 avrillavigne bltynbabrfwbz boy4u2ownnyc bpgjldsgjldthnf businessbabe
    changemechangeme chickenwing101 christopher1 cjdthitycndj combat123654 contortionist
    corperfmonsy correcthorsebatterystaple coteriecoterie counterstrike devilmaycry4 digitalprodu
    dkflbvbhjdbx dkflbvbhjdyf domainlock2005 finalfantasy fkmnthyfnbdf fktrcfylhjdbx fktrcfylhjdf
    fktrcfylhjdyf flvbybcnhfnjh frederiksberg fucktheworld fuckyoubitch fynfyfyfhbde gfhjkmgfhjkm
    ghbdtnghbdtn ghbdtnrfrltkf ghhh47hj7649 ghjcnjgbpltw ghjcnjgfhjkm ghjcnjghjcnj ghjcnjqgfhjkm
    ghjcnjrdfibyj ghjnbdjcnjzybt gjkysqgbpltw greenlantern gtnhjpfdjlcr hd764nw5d7e1vb1
    hedimaptfcor iampurehaha2 iloveboobies ilovemyfamily iloveyouiloveyou ingodwetrust
    installdevic installsqlst iseedeadpeople jamesbond007 justinbieber leavemealone letmein12345
    letmeinletmein lhbjkjubz2957704 lost4815162342 lytghjgtnhjdcr mailcreated5240 maprchem56458
    massimiliano masterbaiting masterbating masturbation maurolarastefy mevefalkcakk
    michaeljackson minecraft123 minnesota_hp momsanaladventure morganstanley mortalkombat
    msorcloledbr needforspeed nemvxyheqdd5oqxyxyzi networkingpe newproject2004 nhecsyfujkjdt
    nhfdvfnjkju123 nhfycajhvths nightcrawler nondriversig olcrackmaster ontheoutside p030710p$e4o
    p@ssw0rd1234 paraklast1974 password123! password1234 password2024 password2025 password2026
    passwordpassword passwordstandard peanutbutter playstation2 playstation3 polniypizdec0211
    polniypizdec110211 pornographic ptybnxtvgbjy punksnotdead q1w2e3r4t5y6 q1w2e3r4t5y6u7
    q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 qawsedrftgyh qaz123wsx456 qazwsxedc123 qazwsxedcrfv
    qazwsxedcrfvtgb qazxswedc123 qazxswedcvfr qwaszxerdfcv qweasdzxc123 qwerasdfzxcv
    qwertasdfgzxcvb qwerty123456 qwerty123456789 qwertyasdfgh qwertyqwerty12 qwertyuiop10
    qwertyuiop12 qwertyuiop123 qwertyuiop12345 qwertyuiop[] qwertyuiopasdf qwertyytrewq
    residentevil rfnthbyf1988 sanfrancisco saun24865709 schoolgirlie seemnemaailm sojdlg123aljg
    sonnenschein sonyericsson specialinsta stickdaddy77 stinkyfinger stratocaster systemofadown
    temppassword thecakeisalie ticketmaster vanyarespekt vfhbyfvfhbyf vfrcbvvfrcbv vfvfvskfhfve
    vladimirovna warhammer40k wazzkaprivet websolutions websolutionssu webuivalidat weihnachtsbau
    weihnachtsbaum welcome12345 welcomewelcome whosyourdaddy xxxp455w0rd5 z1x2c3v4b5n6m7
    zaq1xsw2cde3 zaqwsxcderfv zcfvfzkexifz zqjphsyf6ctifgu zxcasdqwe123 zxcvbn123456
    zxcvbnm123456789
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())
"""Those that everybody guesses first, of those that are long enough to be taken: from the 30,000
most frequent ones in published leaks, in lower case."""


class PasswordChanged(DomainEvent, frozen=True, kw_only=True, tag="user.password_changed"):
    """An account has another password."""

    is_first: bool


def checked_password(secret: Secret, *, name: str) -> Secret:
    """Return a new password in its normal form; raise ``WeakPassword``."""
    text = normal_password(secret).reveal()
    if len(text) not in PASSWORD_CHARS:
        raise WeakPassword(
            f"password: {PASSWORD_CHARS.start} to {PASSWORD_CHARS.stop - 1} characters.",
            field="password",
        )
    plain = text.lower()
    if (
        plain in _COMMON
        or len(set(plain)) < _DISTINCT_CHARS
        or plain.replace(name.lower(), "").strip("0123456789!.-_ ") == ""
    ):
        raise WeakPassword(
            "password: this one is easily guessed; take a few words that only you would put "
            "together.",
            field="password",
        )
    return Secret(text)


def normal_password(secret: Secret) -> Secret:
    """Spell a password in the one way that all keyboards lead to (NIST SP 800-63B, 3.1.1.2)."""
    return Secret(unicodedata.normalize("NFKC", secret.reveal()))


@dataclass(kw_only=True, eq=False)
class Password(Aggregate):
    """The password of an account; ``id`` is the account's."""

    id: UserId
    encoded: str
    """Hash with its parameters and salt."""
    changed_at: datetime

    @classmethod
    def first(cls, user_id: UserId, encoded: Secret, *, actor_id: UserId, now: datetime) -> Self:
        """Give an account its first one."""
        password = cls(id=user_id, encoded=encoded.reveal(), changed_at=now)
        password.record(PasswordChanged(is_first=True), at=now, by=actor_id)
        return password

    def change(self, encoded: Secret, *, actor_id: UserId, now: datetime) -> None:
        """Replace it by another one."""
        self.encoded, self.changed_at = encoded.reveal(), now
        self.record(PasswordChanged(is_first=False), at=now, by=actor_id)

    def rehash(self, encoded: Secret) -> None:
        """Keep the same one under today's parameters."""
        self.encoded = encoded.reveal()
