"""Formatting, partitioning and wiping disks."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span
from snaphook.shell.text import UNKNOWN

_MAKERS = (
    "mkfs",
    "mkfs.ext2",
    "mkfs.ext3",
    "mkfs.ext4",
    "mkfs.xfs",
    "mkfs.btrfs",
    "mkfs.vfat",
    "mkfs.fat",
    "mkfs.ntfs",
    "mkfs.exfat",
    "mkfs.f2fs",
    "mkfs.jfs",
    "mkfs.minix",
    "mkfs.msdos",
    "mkfs.reiserfs",
    "mke2fs",
    "mkdosfs",
    "mkntfs",
    "mkswap",
    "newfs",
    "newfs_apfs",
    "newfs_hfs",
    "newfs_msdos",
)
_TABLE = harms("""
    wipefs -a|--all
    wipefs -o|--offset
    blkdiscard
    sgdisk -Z|--zap-all|-z|--zap|-o|--clear|-d|--delete|-n|--new
    sfdisk !-l|--list|-d|--dump|-J
    cfdisk
    fdisk !-l|--list
    gdisk !-l
    parted * mklabel|mktable|rm|mkpart|resizepart|rescue
    partprobe
    cryptsetup luksFormat|erase|luksErase|luksRemoveKey|luksKillSlot|reencrypt|format
    lvremove|vgremove|pvremove|lvreduce|vgreduce|pvmove
    lvm lvremove|vgremove|pvremove|lvreduce
    mdadm --zero-superblock|--stop|-S|--remove|--fail|--create|-C
    zpool destroy|labelclear|remove|offline|create
    zfs destroy|rollback
    btrfs subvolume delete
    btrfs device remove|delete
    hdparm --security-erase|--security-erase-enhanced|--trim-sector-ranges|--make-bad-sector|--write-sector
    nvme format|sanitize|write-zeroes|dsm|delete-ns
    badblocks -w
    diskutil erase*|partitionDisk|zeroDisk|randomDisk|secureErase|reformat|delete*
    diskutil apfs|coreStorage|cs delete*|erase*
    asr --erase
    hdiutil erasekeys|erase
    swapoff -a
    umount -a
    umount -A
    losetup -D
    e2fsck -y
    debugfs -w
    tune2fs -O
    resize2fs
    format c:|C:|d:|D:|e:|E:
    diskpart
    dmsetup remove|remove_all|wipe_table
    tgtadm --op=delete
    lsblk --wipe
    cipher /w:*
    sg_format
    ddrescue -f|--force
    ddrescue * /dev/*
    efibootmgr -B|--delete-bootnum
    grub-install
    fsck -y
    reiserfsck --rebuild-tree
    xfs_repair -L
""")


def formats(call: Call, _scene: RuleContext) -> Span | None:
    """Point at the disk that would be formatted, partitioned or wiped.

    Blocks: mkfs.ext4 /dev/sda1
    Blocks: sudo mkfs -t xfs /dev/nvme0n1p2
    Blocks: wipefs -a /dev/sdb
    Blocks: parted /dev/sda mklabel gpt
    Blocks: cryptsetup luksFormat /dev/sdb
    Allows: mkfs.ext4 disk.img
    Allows: lsblk -f
    Allows: fdisk -l
    Allows: parted /dev/sda print
    Allows: wipefs /dev/sdb
    """
    if call.program not in _MAKERS:
        return _TABLE.find(call)
    if only_asks(call):
        return None
    devices = [arg for arg in call.args if arg.text.startswith("/dev/") or UNKNOWN in arg.value]
    return devices[0].span if devices else None


RULE = Rule(
    id="disk.format",
    answer=GuardAnswer.DENY,
    says="formats, partitions or wipes a disk",
    why="everything on it is lost",
    instead="Work on an image file; let the user prepare disks.",
    programs=(*_MAKERS, *_TABLE.programs),
    objects_to=formats,
)
