# For tests: a cluster on this machine, by Debian's munged, slurmctld and slurmd. All of its files lie in $cluster, a
# folder in $scratch, and it is used through SLURM_CONF. Two nodes: `near`, and `far`, which does not see
# $scratch/hidden where mounts can be made.
# shellcheck shell=sh
cluster=$scratch/cluster
PATH=$PATH:/usr/sbin:/sbin # where an ordinary user does not look for daemons

# What is missing for one; nothing when it can be tried.
cluster_lacks() {
    for tool in munged slurmctld slurmd sbatch scontrol; do
        command -v "$tool" >/dev/null || { echo "no $tool: make setup FOR=tests installs it"; return; }
    done
    grep -q ' /sys/fs/cgroup' /proc/mounts || echo 'no control groups are mounted at /sys/fs/cgroup, and slurmd wants them'
}

# daemon NAME COMMAND...: begins it; its process is in $cluster/NAME.process.
cluster_daemon() {
    daemon=$1
    shift
    "$@" >"$cluster/$daemon.said" 2>&1 </dev/null &
    echo "$!" >"$cluster/$daemon.process"
}

# within SECONDS COMMAND...: until it succeeds.
within() {
    tries=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { echo "not within the time: $*"; return 1; }
        sleep 0.2
    done
}

cluster_is_idle() {
    [ "$(sinfo -h -N -o %T | sort -u)" = idle ]
}

free_ports() {
    python3 -B -c 'import socket
all = [socket.socket() for _ in range(3)]
for one in all: one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in all])'
}

cluster_start() {
    mkdir -p "$cluster/state" "$cluster/near" "$cluster/far" "$scratch/hidden"
    chmod 755 "$cluster"
    host=$(hostname -s)
    ports=$(free_ports)
    # shellcheck disable=SC2086 # three numbers
    set -- $ports
    cat >"$cluster/slurm.conf" <<END
ClusterName=cyclelab
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$1
AuthType=auth/munge
AuthInfo=socket=$cluster/munge.socket
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=bf_interval=1,sched_min_interval=100000
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
KillWait=5
NodeName=near NodeHostname=$host NodeAddr=127.0.0.1 Port=$2 CPUs=2 Feature=lab Weight=1
NodeName=far NodeHostname=$host NodeAddr=127.0.0.1 Port=$3 CPUs=2 Feature=apart Weight=9
PartitionName=all Nodes=near,far Default=YES MaxTime=INFINITE State=UP
END
    SLURM_CONF=$cluster/slurm.conf
    export SLURM_CONF
    # Later versions look for systemd's control groups unless told otherwise; earlier ones do not know the word.
    case $(slurmd -V) in 'slurm-wlm 2'[0-2].*) ;; *) echo CgroupPlugin=disabled >"$cluster/cgroup.conf" ;; esac
    (umask 077 && head -c 128 /dev/urandom >"$cluster/munge.key")
    cluster_daemon munged munged --foreground --key-file="$cluster/munge.key" --socket="$cluster/munge.socket" \
        --pid-file="$cluster/munge.pid" --log-file="$cluster/munge.log" --seed-file="$cluster/munge.seed"
    within 10 test -S "$cluster/munge.socket" || return 1
    cluster_daemon slurmctld slurmctld -D
    cluster_daemon near slurmd -D -N near
    if unshare -m true 2>/dev/null; then
        cluster_daemon far unshare -m sh -c "mount -t tmpfs none '$scratch/hidden' && exec slurmd -D -N far"
    else
        cluster_daemon far slurmd -D -N far
    fi
    within 30 cluster_is_idle
}

# Everything that runs with this cluster's configuration.
cluster_processes() {
    (unset SLURM_CONF && grep -lsF "SLURM_CONF=$cluster/slurm.conf" /proc/[0-9]*/environ | sed 's|/proc/\([0-9]*\)/.*|\1|')
}

cluster_is_quiet() {
    [ -z "$(squeue -h)" ]
}

cluster_is_gone() {
    [ -z "$(cluster_processes)" ]
}

# Jobs first, then the daemons; whatever is left of them is killed.
cluster_stop() {
    [ -f "$cluster/slurm.conf" ] || return 0
    squeue -h -o %A 2>/dev/null | sort -u | xargs -r scancel 2>/dev/null
    within 15 cluster_is_quiet >/dev/null
    for daemon in far near slurmctld munged; do
        [ ! -f "$cluster/$daemon.process" ] || kill "$(cat "$cluster/$daemon.process")" 2>/dev/null
    done
    within 10 cluster_is_gone >/dev/null || cluster_processes | (unset SLURM_CONF && xargs -r kill -s KILL) 2>/dev/null
    wait
    rm "$cluster/slurm.conf" # there is none any more
}
