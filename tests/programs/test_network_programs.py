"""Programs of students who know layers: recurrent networks, attention, networks that make
pictures, layers that learn their sizes. Small, whole, and printed by both libraries: the same text.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.parity import same

# mypy: disable-error-code="misc, name-defined"


def names_by_character(T: Any) -> None:
    """A network that learns to go on with a word, one character after the other."""
    nn, text = T.nn, "hello hello help"
    letters = sorted(set(text))
    ids = T.tensor([letters.index(each) for each in text])

    class CharRNN(nn.Module):
        def __init__(self, count: int, size: int) -> None:
            super().__init__()
            self.embedding = nn.Embedding(count, size)
            self.rnn = nn.RNN(size, size, batch_first=True)
            self.head = nn.Linear(size, count)

        def forward(self, x: Any, h: Any = None) -> Any:
            out, h = self.rnn(self.embedding(x), h)
            return self.head(out), h

    model = CharRNN(len(letters), 8)
    optimizer = T.optim.Adam(model.parameters(), lr=0.05)
    print(model, sum(p.numel() for p in model.parameters()))
    for epoch in range(8):
        logits, h = model(ids[None, :-1])
        loss = nn.functional.cross_entropy(logits.view(-1, len(letters)), ids[1:])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")
    print(logits.grad_fn, h.shape, model.rnn.weight_hh_l0.grad[0])
    model.eval()
    x, h, written = ids[None, :1], None, ["h"]
    with T.no_grad():
        for _ in range(6):
            logits, h = model(x, h)
            x = logits[:, -1].argmax(1, keepdim=True)
            written.append(letters[x.item()])
    print("".join(written))


def sums_by_sequence_to_sequence(T: Any) -> None:
    """An encoder and a decoder of GRU cells, which copies a sequence in reverse order."""
    nn = T.nn

    class Seq2Seq(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(6, 5)
            self.encoder, self.decoder = nn.GRU(5, 7, 2, dropout=0.1), nn.GRUCell(5, 7)
            self.out = nn.Linear(7, 6)

        def forward(self, source: Any, target: Any) -> Any:
            _, h = self.encoder(self.embedding(source))
            state, outputs = h[-1], []
            token = T.zeros(source.shape[1], dtype=T.int64)
            for step in range(len(target)):
                state = self.decoder(self.embedding(token), state)
                outputs.append(self.out(state))
                token = target[step]  # teacher forcing
            return T.stack(outputs)

    model = Seq2Seq()
    print(model)
    optimizer = T.optim.SGD(model.parameters(), lr=0.5)
    for step in range(4):
        source = T.randint(1, 6, (4, 3))
        logits = model(source, source.flip(0))
        loss = nn.CrossEntropyLoss()(logits.reshape(-1, 6), source.flip(0).reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss, logits.shape)
    print(model.encoder.weight_ih_l1.grad.norm(), model.decoder)


def sentiment_of_sentences_of_many_lengths(T: Any) -> None:
    """Padded, packed, and read in both directions by an LSTM."""
    nn, rnn = T.nn, T.nn.utils.rnn
    sentences = [T.tensor([1, 2, 3, 4]), T.tensor([5, 1]), T.tensor([3, 3, 2])]
    labels = T.tensor([1.0, 0.0, 1.0])
    lengths = [len(each) for each in sentences]
    batch = rnn.pad_sequence(sentences, batch_first=True)
    print(batch, lengths)

    class Reader(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(6, 4, padding_idx=0)
            self.lstm = nn.LSTM(4, 3, batch_first=True, bidirectional=True)
            self.head = nn.Linear(6, 1)

        def forward(self, x: Any, lengths: Any) -> Any:
            packed = rnn.pack_padded_sequence(
                self.embedding(x), lengths, batch_first=True, enforce_sorted=False
            )
            _, (h, _c) = self.lstm(packed)
            return self.head(T.cat([h[-2], h[-1]], dim=1)).squeeze(1)

    model = Reader()
    print(model)
    optimizer = T.optim.Adam(model.parameters(), lr=0.1)
    for epoch in range(3):
        loss = nn.BCEWithLogitsLoss()(model(batch, lengths), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(epoch, loss.item())
    print(T.sigmoid(model(batch, lengths)).round())
    print(rnn.pad_packed_sequence(rnn.pack_sequence(sentences, enforce_sorted=False)))


def waves_by_lstm_cells(T: Any) -> None:
    """Forecasts of a sine wave, fed back to the network."""
    nn = T.nn
    wave = T.sin(T.arange(12) * 0.7).reshape(1, -1)

    class Sequence(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.one, self.two = nn.LSTMCell(1, 5), nn.LSTMCell(5, 5)
            self.linear = nn.Linear(5, 1)

        def forward(self, x: Any, future: int = 0) -> Any:
            h, c = T.zeros(x.size(0), 5), T.zeros(x.size(0), 5)
            a, b = T.zeros(x.size(0), 5), T.zeros(x.size(0), 5)
            outputs = []
            for step in x.split(1, dim=1):
                h, c = self.one(step, (h, c))
                a, b = self.two(h, (a, b))
                outputs.append(self.linear(a))
            for _ in range(future):
                h, c = self.one(outputs[-1], (h, c))
                a, b = self.two(h, (a, b))
                outputs.append(self.linear(a))
            return T.cat(outputs, dim=1)

    model = Sequence()
    optimizer = T.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    print(model)
    for epoch in range(5):
        loss = nn.functional.mse_loss(model(wave[:, :-1]), wave[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{epoch}: {loss.item():.6f}")
    with T.no_grad():
        print(model(wave[:, :3], future=2))


def pictures_by_adversaries(T: Any) -> None:
    """A DCGAN: transposed convolutions make pictures, convolutions judge them."""
    nn = T.nn

    def weights_init(module: Any) -> None:
        kind = module.__class__.__name__
        if kind.find("Conv") != -1:
            nn.init.normal_(module.weight.data, 0.0, 0.02)
        elif kind.find("BatchNorm") != -1:
            nn.init.normal_(module.weight.data, 1.0, 0.02)
            nn.init.constant_(module.bias.data, 0)

    maker = nn.Sequential(
        nn.ConvTranspose2d(4, 6, 4, 1, 0, bias=False),
        nn.BatchNorm2d(6),
        nn.ReLU(True),
        nn.ConvTranspose2d(6, 1, 4, 2, 1, bias=False),
        nn.Tanh(),
    )
    judge = nn.Sequential(
        nn.Conv2d(1, 6, 4, 2, 1, bias=False),
        nn.LeakyReLU(0.2, inplace=True),
        nn.Conv2d(6, 1, 4, 1, 0, bias=False),
        nn.Sigmoid(),
    )
    maker.apply(weights_init)
    judge.apply(weights_init)
    print(maker, judge)
    of_maker = T.optim.SGD(maker.parameters(), lr=0.1)
    of_judge = T.optim.SGD(judge.parameters(), lr=0.1)
    criterion, real = nn.BCELoss(), T.rand(3, 1, 8, 8) * 2 - 1
    for step in range(2):
        judge.zero_grad()
        seen = criterion(judge(real).view(-1), T.full((3,), 1.0))
        seen.backward()
        fake = maker(T.randn(3, 4, 1, 1))
        unmasked = criterion(judge(fake.detach()).view(-1), T.full((3,), 0.0))
        unmasked.backward()
        of_judge.step()
        maker.zero_grad()
        fooled = criterion(judge(fake).view(-1), T.full((3,), 1.0))
        fooled.backward()
        of_maker.step()
        print(f"[{step}] {(seen + unmasked).item():.4f} {fooled.item():.4f} {fake.shape}")
    print(maker[0].weight.grad.abs().mean(), fake[0, 0, 0])


def patches_and_attention(T: Any) -> None:
    """A block of a vision transformer."""
    nn = T.nn

    class Block(nn.Module):
        def __init__(self, dim: int, heads: int) -> None:
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
            self.attn = nn.MultiheadAttention(dim, heads, dropout=0.1, batch_first=True)
            self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

        def forward(self, x: Any) -> Any:
            h = self.norm1(x)
            attended, self.weights = self.attn(h, h, h)
            x = x + attended
            return x + self.mlp(self.norm2(x))

    class ViT(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.patches = nn.Conv2d(1, 8, kernel_size=4, stride=4)
            self.cls = nn.Parameter(T.zeros(1, 1, 8))
            self.position = nn.Parameter(T.randn(1, 5, 8) * 0.02)
            self.blocks = nn.ModuleList([Block(8, 2) for _ in range(2)])
            self.head = nn.Linear(8, 3)

        def forward(self, x: Any) -> Any:
            x = self.patches(x).flatten(2).transpose(1, 2)
            x = T.cat([self.cls.expand(len(x), -1, -1), x], dim=1) + self.position
            for block in self.blocks:
                x = block(x)
            return self.head(x[:, 0])

    model, x, y = ViT(), T.randn(2, 1, 8, 8), T.tensor([0, 2])
    print(model)
    optimizer = T.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(3):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, loss)
    print(model.blocks[0].weights.shape, model.blocks[1].weights[0].sum(-1), model.cls.grad)
    print(model.eval()(x))


def translation_by_an_encoder(T: Any) -> None:
    """Positions, masks, and the encoder of a transformer as a language model."""
    nn = T.nn

    class Positions(nn.Module):
        def __init__(self, size: int) -> None:
            super().__init__()
            place = T.arange(10).unsqueeze(1)
            rate = T.exp(T.arange(0, size, 2) * (-math.log(10000.0) / size))
            table = T.zeros(10, 1, size)
            table[:, 0, 0::2] = T.sin(place * rate)
            table[:, 0, 1::2] = T.cos(place * rate)
            self.register_buffer("table", table)
            self.dropout = nn.Dropout(0.1)

        def forward(self, x: Any) -> Any:
            return self.dropout(x + self.table[: x.size(0)])

    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding, self.positions = nn.Embedding(7, 8), Positions(8)
            layer = nn.TransformerEncoderLayer(8, 2, 16, 0.1)
            self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
            self.decoder = nn.Linear(8, 7)

        def forward(self, x: Any) -> Any:
            mask = T.triu(T.ones(len(x), len(x)) * float("-inf"), diagonal=1)
            h = self.positions(self.embedding(x) * math.sqrt(8))
            return self.decoder(self.encoder(h, mask))

    model = Model()
    print(model, [tuple(p.shape) for p in model.parameters()][:5])
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1.0, gamma=0.95)
    for _ in range(3):
        x = T.randint(0, 7, (6, 2))
        loss = nn.functional.cross_entropy(model(x[:-1]).view(-1, 7), x[1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        scheduler.step()
        print(f"{loss.item():.4f} {math.exp(loss.item()):.2f} {scheduler.get_last_lr()[0]:.4f}")
    model.eval()
    with T.no_grad():
        print(model(x).argmax(-1))


def sizes_left_open(T: Any) -> None:
    """A network of lazy layers, which learns its sizes from the first pictures."""
    nn = T.nn
    net = nn.Sequential(
        nn.LazyConv2d(4, kernel_size=3, padding=1), nn.LazyBatchNorm2d(), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.LazyLinear(10), nn.Hardtanh(), nn.LazyLinear(2),
    )  # fmt: skip
    print(net, net[0].weight, list(net.state_dict()))
    x, y = T.randn(4, 1, 8, 8), T.tensor([0, 1, 1, 0])
    optimizer = T.optim.SGD(net.parameters(), lr=0.1)
    out = x
    for layer in net:
        out = layer(out)
        print(layer.__class__.__name__, "output shape:\t", out.shape)
    for _ in range(3):
        loss = nn.CrossEntropyLoss()(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss)
    print(net)
    other = nn.Sequential(*[type(layer)() for layer in (nn.ReLU(), nn.Flatten())], nn.LazyLinear(2))
    print(other.load_state_dict({f"2.{k}": v for k, v in net[7].state_dict().items()}), other)


def pictures_in_another_style(T: Any) -> None:
    """Instance normalisation, group normalisation, and a way up again."""
    nn = T.nn

    class Residual(nn.Module):
        def __init__(self, channels: int) -> None:
            super().__init__()
            self.body = nn.Sequential(
                nn.Conv2d(channels, channels, 3, padding=1),
                nn.InstanceNorm2d(channels, affine=True),
                nn.ReLU(),
                nn.Conv2d(channels, channels, 3, padding=1),
                nn.GroupNorm(2, channels),
            )

        def forward(self, x: Any) -> Any:
            return x + self.body(x)

    net = nn.Sequential(
        nn.Conv2d(3, 4, 3, stride=2, padding=1), Residual(4),
        nn.ConvTranspose2d(4, 3, 3, stride=2, padding=1, output_padding=1), nn.Sigmoid(),
    )  # fmt: skip
    x = T.rand(2, 3, 8, 8)
    print(net)
    optimizer = T.optim.Adam(net.parameters(), lr=1e-3)
    for _ in range(2):
        y = net(x)
        loss = nn.functional.mse_loss(y, x) + 0.1 * (y[..., 1:] - y[..., :-1]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss, y.shape)
    print(net[2].weight.grad.abs().sum(), net[1].body[1].weight.grad)


def experts_by_name(T: Any) -> None:
    """Modules and parameters in dictionaries, and a model as a function of its parameters."""
    nn = T.nn

    class Experts(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.choices = nn.ModuleDict({"linear": nn.Linear(2, 2), "wide": nn.Sequential(
                nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 2))})  # fmt: skip
            self.acts = nn.ModuleDict([["relu", nn.ReLU()], ["hard", nn.Hardtanh()]])
            self.scales = nn.ParameterDict({"linear": T.ones(1), "wide": T.full((1,), 0.5)})

        def forward(self, x: Any, choice: str, act: str) -> Any:
            return self.acts[act](self.choices[choice](x)) * self.scales[choice]

    model, x = Experts(), T.randn(3, 2)
    print(model)
    for name, parameter in model.named_parameters():
        print(name, tuple(parameter.shape))
    loss = sum(model(x, name, "hard").pow(2).sum() for name in model.choices)
    loss.backward()
    print(loss, {name: p.grad for name, p in model.scales.items()})
    given = {name: p.detach().clone() for name, p in model.named_parameters()}

    def of_scale(s: Any) -> Any:
        replaced = {**given, "scales.linear": s}
        return T.func.functional_call(model, replaced, (x, "linear", "hard")).sum()

    print(T.autograd.functional.jacobian(of_scale, T.ones(1)))
    members = [nn.Linear(2, 1) for _ in range(3)]
    stacked = {k: T.stack([m.state_dict()[k] for m in members]) for k in ("weight", "bias")}
    for number in range(3):
        own = {k: v[number] for k, v in stacked.items()}
        print(T.func.functional_call(members[0], own, x).squeeze() - members[number](x).squeeze())


PROGRAMS = [
    names_by_character,
    sums_by_sequence_to_sequence,
    sentiment_of_sentences_of_many_lengths,
    waves_by_lstm_cells,
    pictures_by_adversaries,
    patches_and_attention,
    translation_by_an_encoder,
    sizes_left_open,
    pictures_in_another_style,
    experts_by_name,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_text(torch: Any, program: Any) -> None:
    assert same(torch, program)["printed"]
