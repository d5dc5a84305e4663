"""What WhatsApp itself writes into an export, in its languages: media left out, files, deletions, calls."""

from __future__ import annotations

import re

_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_OMITTED: dict[str, tuple[str, ...]] = {
    "media": (
        "<media omitted>", "<medien ausgeschlossen>", "<medien weggelassen>", "<multimedia omitido>",
        "<archivo omitido>", "<médias omis>", "<fichier omis>", "<arquivo de mídia oculto>",
        "<mídia oculta>", "<mídia omitida>", "<ficheiro não revelado>", "<media weggelaten>",
        "<省略多媒体文件>", "<已忽略多媒体文件>", "<媒体文件已略去>", "<省略影音內容>", "<media omessi>",
    ),
    "image": (
        "image omitted", "bild weggelassen", "imagen omitida", "image absente", "image omise",
        "imagem ocultada", "imagem omitida", "imagem não revelada", "afbeelding weggelaten",
        "图像已忽略", "图像已省略", "图片已忽略", "图片已省略",
    ),
    "video": (
        "video omitted", "video weggelassen", "video omitido", "vídeo omitido", "vidéo absente",
        "vidéo omise", "vídeo ocultado", "vídeo não revelado", "video weggelaten", "视频已忽略",
        "视频已省略",
    ),
    "audio": (
        "audio omitted", "audio weggelassen", "audio omitido", "audio omis", "audio absent",
        "áudio ocultado", "áudio omitido", "áudio não revelado", "audio weggelaten", "音频已忽略",
        "音频已省略", "语音已省略",
    ),
    "sticker": (
        "sticker omitted", "sticker weggelassen", "sticker omitido", "sticker omis", "sticker absent",
        "figurinha omitida", "sticker não revelado", "sticker weggelaten", "贴图已忽略", "贴图已省略",
        "表情已省略",
    ),
    "GIF": (
        "gif omitted", "gif weggelassen", "gif omitido", "gif omis", "gif absent", "gif omitida",
        "gif não revelado", "gif weggelaten", "gif已忽略", "gif已省略",
    ),
    "document": (
        "document omitted", "dokument weggelassen", "documento omitido", "document omis",
        "document absent", "documento não revelado", "document weggelaten", "文档已忽略", "文档已省略",
    ),
    "contact": (
        "contact card omitted", "kontaktkarte weggelassen", "tarjeta de contacto omitida",
        "fiche contact omise", "cartão do contato omitido", "contactkaart weggelaten",
        "联系人名片已忽略", "联系人卡片已省略",
    ),
}  # fmt: skip
_KIND_OF = {phrase: kind for kind, phrases in _OMITTED.items() for phrase in phrases}

_ATTACHED = re.compile(
    r"<(?:attached|angehängt|anhang|adjunto|archivo adjunto|pièce jointe|fichier joint|anexado|anexo"
    r"|bijgevoegd|bijlage|附件|allegato)\s?[:：]\s?(?P<inside>[^<>\n]+)>"
    r"|^(?P<before>\S[^<>\n]*?\.\w{2,5}) \((?:file attached|datei angehängt|archivo adjunto|fichier joint"
    r"|arquivo anexado|ficheiro anexado|bestand bijgevoegd|文件附件|附件|file allegato)\)",
    re.IGNORECASE,
)
_EDITED = re.compile(
    r"<(?:this message was edited|diese nachricht wurde bearbeitet\.?|se editó este mensaje\.?"
    r"|ce message a été modifié|mensagem editada|esta mensagem foi editada|dit bericht is bewerkt"
    r"|此消息已编辑|消息已编辑)>",
    re.IGNORECASE,
)
_DELETED = (
    "this message was deleted", "you deleted this message", "diese nachricht wurde gelöscht",
    "du hast diese nachricht gelöscht", "se eliminó este mensaje", "eliminaste este mensaje",
    "ce message a été supprimé", "vous avez supprimé ce message", "esta mensagem foi apagada",
    "mensagem apagada", "você apagou esta mensagem", "dit bericht is verwijderd",
    "dit bericht werd verwijderd", "je hebt dit bericht verwijderd", "u hebt dit bericht verwijderd",
    "此消息已删除", "此消息已被删除", "您删除了此消息", "你删除了此消息", "您删除了这条消息",
)  # fmt: skip
_CALLS = (
    "missed voice call", "missed video call", "verpasster sprachanruf", "verpasster videoanruf",
    "llamada perdida", "videollamada perdida", "appel vocal manqué", "appel vidéo manqué",
    "chamada de voz perdida", "chamada de vídeo perdida", "gemiste spraakoproep", "gemiste video-oproep",
    "未接语音通话", "未接视频通话",
)  # fmt: skip
_ENCRYPTED = (
    "end-to-end encrypted", "ende-zu-ende-verschlüsselt", "cifrados de extremo a extremo",
    "cifrado de extremo a extremo", "chiffrés de bout en bout", "criptografia de ponta a ponta",
    "encriptadas ponta a ponta", "end-to-end versleuteld", "端到端加密",
)  # fmt: skip
_CHAT_TITLE = re.compile(
    r"(?:whatsapp chat with|whatsapp-chat mit|chat de whatsapp con|discussion whatsapp avec"
    r"|conversa do whatsapp com|whatsapp-chat met|whatsapp 与|与)\s*(?P<name>.+?)"
    r"\s*(?:的(?: ?whatsapp)? ?(?:聊天|对话)(?:记录)?)?",
    re.IGNORECASE,
)
_COPY = re.compile(r"\s*\(\d+\)$")


def captions_in(text: str) -> tuple[str, tuple[str, ...]]:
    """What a person wrote, and a caption for each medium that the export leaves out or attaches.

    >>> captions_in("\\u200eBild weggelassen")
    ('', ('image',))
    >>> captions_in("IMG-20231231-WA0001.jpg (file attached)\\nthe new flat")
    ('the new flat', ('file: IMG-20231231-WA0001.jpg',))
    """
    said = text.strip()
    if _EDITED.fullmatch(said, max(said.rfind("<"), 0)):
        said = said[: said.rfind("<")].rstrip("\u200e \n")
    captions: list[str] = []
    kept: list[str] = []
    for line in said.split("\n"):
        before, _, last = line.rpartition("\u200e")
        kind = _KIND_OF.get(_bare(last))
        if not kind and not _ATTACHED.search(_MARKS.sub("", line).strip()):
            kept.append(line.removeprefix("\u200e"))
            continue
        plain = _MARKS.sub("", before if kind else line).strip()
        if kind and "•" in plain:
            captions.append(f"{kind}: {plain.partition('•')[0].strip()}")
            continue
        if kind:
            captions.append(kind)
        captions.extend(f"file: {(found[1] or found[2]).strip()}" for found in _ATTACHED.finditer(plain))
        without = _ATTACHED.sub("", plain).strip()
        if without:
            kept.append(without)
    return "\n".join(kept).strip(), tuple(captions)


def is_notice(text: str) -> bool:
    """Whether WhatsApp says it in a person's name: a deletion, a missed call, the encryption notice."""
    bare = _bare(text)
    is_call = bare in _CALLS or (text.startswith("\u200e") and bare.startswith(_CALLS))
    return bare in _DELETED or is_call or is_encryption_notice(text)


def is_encryption_notice(text: str) -> bool:
    """Whether it is the notice at the head of every chat, which iPhones put into the chat's name."""
    return text.startswith("\u200e") and any(phrase in text.lower() for phrase in _ENCRYPTED)


def chat_named_by(stem: str) -> str:
    """The chat's name in a file name as WhatsApp gives it.

    >>> chat_named_by("WhatsApp Chat with Ana (1)")
    'Ana'
    """
    bare = _COPY.sub("", stem)
    found = _CHAT_TITLE.fullmatch(bare)
    return found["name"] if found else bare


def _bare(text: str) -> str:
    return _MARKS.sub("", text).strip().rstrip(".").lower()
