#!/bin/bash
# Slurm: an array job on a cluster of this machine alone, of which a task is killed and put back into the queue. Needs root.
. "$(dirname "$0")/lib.sh" Slurm slurmctld slurmd munged sbatch
if [ "$(id -u)" != 0 ]; then echo "Slurm: skipped, because only root can start it"; exit 0; fi
HOST=$(hostname -s)
mkdir state spool munge
chmod 755 "$WORK"
dd if=/dev/urandom of=munge/key bs=64 count=1 2> /dev/null
chmod 400 munge/key; chmod 711 munge
cat > slurm.conf <<END
ClusterName=lab
SlurmctldHost=$HOST(127.0.0.1)
SlurmUser=root
AuthInfo=socket=$WORK/munge/socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
StateSaveLocation=$WORK/state
SlurmdSpoolDir=$WORK/spool
SlurmctldPidFile=$WORK/ctld.pid
SlurmdPidFile=$WORK/d.pid
SlurmctldPort=16817
SlurmdPort=16818
SlurmctldLogFile=$WORK/ctld.log
SlurmdLogFile=$WORK/d.log
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$HOST NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=lab Nodes=$HOST Default=YES MaxTime=INFINITE State=UP
END
printf "CgroupPlugin=autodetect\nCgroupMountpoint=/sys/fs/cgroup\nIgnoreSystemd=yes\n" > cgroup.conf
export SLURM_CONF="$WORK/slurm.conf"
munged --force --foreground --key-file=munge/key --socket=munge/socket --pid-file=munge/pid --log-file=munge/log \
    --seed-file=munge/seed > munge.out 2>&1 &
MUNGE=$!
trap 'kill $MUNGE; rm -rf "$WORK"' EXIT
until [ -S munge/socket ]; do kill -0 $MUNGE || { cat munge.out; exit 1; }; done
slurmctld -D > ctld.out 2>&1 &
CTLD=$!
slurmd -D -N "$HOST" > d.out 2>&1 &
NODE=$!
trap 'kill $NODE $CTLD $MUNGE; wait; rm -rf "$WORK"' EXIT
until sinfo -h -o %T 2> sinfo.err | grep -q idle; do
    { kill -0 $CTLD && kill -0 $NODE; } || { tail -n 8 ctld.log d.log ctld.out d.out; exit 1; }
done
echo "Slurm: $(sinfo --version), the cluster is up"

divide 8
# The job of docs/ci.md. Its first task waits until it is put back into the queue.
cat > job.sh <<'END'
#!/bin/bash
#SBATCH --array=1-8 --requeue --open-mode=append --output=log-%a
if [ $SLURM_ARRAY_TASK_ID = 2 ] && [ ! -e killed ]; then touch waiting; while :; do read -rt 1 < /dev/zero; done; fi
exec threadlab work tasks/$SLURM_ARRAY_TASK_ID.task
END
JOB=$(sbatch --parsable --export=ALL job.sh)
until [ -e waiting ]; do :; done
touch killed
scontrol requeue "${JOB}_2"
until [ -z "$(squeue -h -j "$JOB" 2> /dev/null)" ]; do
    # One that was put back waits for two minutes, unless it is released.
    scontrol update JobId="${JOB}_2" StartTime=now 2> /dev/null || true
done
[ "$(ls tasks | grep -c 'result$')" = 8 ] || { tail log-*; exit 1; }
echo "Slurm: 8 tasks are done, of which one was killed and put back"
compare
